// The short pages: for browsers without a session, and for an address that does not exist.
import { Document, Empty, Shell } from './shell.tsx';
import { commandForProfile, type Place, type View } from './view.ts';

const Notice = ({ place, title, text }: { place: Place; title: string; text: string }) => (
  <Document place={place} title={title}>
    <body class="closed">
      <main>
        <h1 class="title">{title}</h1>
        <p>{text}</p>
        <p>Run this command to open the page:</p>
        <pre>
          <code>{commandForProfile(place, 'svc sandbox open')}</code>
        </pre>
      </main>
    </body>
  </Document>
);

export const ClosedPage = ({ place }: { place: Place }) => (
  <Notice
    place={place}
    title="This is a sandbox of svc"
    text="Its page shows the messages that the sandbox captured. Only the person who started the sandbox can see it."
  />
);

export const InvalidLinkPage = ({ place }: { place: Place }) => (
  <Notice
    place={place}
    title="This link is no longer valid"
    text="A link works once, within a minute after it was created."
  />
);

/** Starts a session: goes to the page at once. It is not a redirect, because a browser that followed one from another site would not send the new cookie. */
export const OpenedPage = ({ place }: { place: Place }) => (
  <Document place={place} title="Opening">
    <body class="closed">
      <main>
        <h1 class="title">Opening the sandbox</h1>
        <p>
          <a href="/">Continue</a>
        </p>
      </main>
    </body>
  </Document>
);

/** The view for an address that does not exist, or that does not exist anymore. */
export const MissingView = ({ view, text }: { view: View; text: string }) => (
  <Shell
    view={view}
    section="Messages"
    title="Not found"
    listPath="/"
    isOpened={true}
    list={null}
    detail={
      <Empty title="Not found">
        <p>
          {text} A reset deletes all messages and events. <a href="/">Show all messages</a>
        </p>
      </Empty>
    }
  />
);
