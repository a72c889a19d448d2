// The view for an address that does not exist, or that does not exist anymore.
import { Empty, Shell } from './shell.tsx';
import type { View } from './view.ts';

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
