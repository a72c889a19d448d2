// The frame of an e-mail, with switches for its width and colors, and for images from other machines.
import { type EmailDocument, emailSandbox } from './email-document.ts';
import { FormOrigin } from './forms.tsx';
import { linkTo, type View } from './view.ts';

/** The address of the e-mail on the page, or its HTML. `version` changes with the content. */
export type FrameSource = { path: string; version?: string; view: View } | { html: string };

interface FrameProps {
  title: string;
  /** Distinguishes several e-mails in one document. */
  group?: string;
  source: FrameSource;
  document: Omit<EmailDocument, 'html'>;
}

const widths = { phone: 'Phone', tablet: 'Tablet', desktop: 'Desktop' };
const lights = { light: 'Light', dark: 'Dark' };

/** The switches change the frame without a script, which only adapts its height to the content. */
export const EmailFrame = ({ title, group = 'email', source, document }: FrameProps) => (
  <div class="email">
    <div class="frame-bar">
      <Choices name="width" legend="Width" group={group} values={widths} initial="desktop" />
      <Choices name="light" legend="Colors" group={group} values={lights} initial="light" />
    </div>
    <iframe
      title={title}
      {...('html' in source ? { srcdoc: source.html } : { src: frameUrl(source) })}
      sandbox={emailSandbox}
    />
    {document.isEmpty ? <p class="more">This e-mail is empty.</p> : null}
    {document.hasDark ? null : (
      <p class="more no-dark" role="status">
        The e-mail has no styles for dark screens, so it looks the same. Some mail programs change
        its colors by themselves.
      </p>
    )}
    {document.remoteImages === 0 ? null : 'html' in source ? (
      <p class="more">Remote images are not loaded here ({document.remoteImages}).</p>
    ) : (
      <Images view={source.view} count={document.remoteImages} />
    )}
  </div>
);

/** Another address, so that the frame loads again when the images change. */
const frameUrl = ({ path, version, view }: Extract<FrameSource, { path: string }>) =>
  linkTo(path, { v: version, images: view.loadsImages ? 'loaded' : undefined });

/** Images show their servers that a person reads an e-mail, so the page asks once in a session. */
const Images = ({ view, count }: { view: View; count: number }) => (
  <form class="images more" method="post" action="/page/images">
    <FormOrigin view={view} />
    {view.loadsImages ? (
      <>
        Images come from other machines.{' '}
        <button type="submit" name="load" value="no">
          Do not load images
        </button>
      </>
    ) : (
      <>
        Remote images are not loaded ({count}).
        <details>
          <summary>Load images</summary>
          <p>
            Your browser asks the servers that the e-mail names, which see your address. Until you
            close the page, it does so for every e-mail.
          </p>
          <button type="submit" name="load" value="yes" class="main">
            Load images of e-mails
          </button>
        </details>
      </>
    )}
  </form>
);

interface ChoicesProps {
  name: string;
  legend: string;
  group: string;
  values: Record<string, string>;
  initial: string;
}

const Choices = ({ name, legend, group, values, initial }: ChoicesProps) => (
  <fieldset class="switch" data-choice={name}>
    <legend>{legend} of the e-mail</legend>
    {Object.entries(values).map(([value, text]) => (
      <label>
        <input type="radio" name={`${name}-${group}`} value={value} checked={value === initial} />
        {text}
      </label>
    ))}
  </fieldset>
);
