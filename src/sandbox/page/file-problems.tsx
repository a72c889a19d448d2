// The errors in the files that the sandbox follows, beside the workflows that they belong to.

/** An error in a file, whose last valid version stays. */
export interface FileProblem {
  text: string;
  workflowId?: string | undefined;
  /** The line of the file, with a caret below the error. */
  excerpt?: string | undefined;
}

export const FileProblems = ({ problems }: { problems: readonly FileProblem[] }) =>
  problems.length === 0 ? null : (
    <div class="problem files" role="alert">
      <p>
        <strong>A file is not valid.</strong> Its last valid version stays.
      </p>
      {problems.map(({ text, excerpt }) => (
        <>
          <p>
            <code>{text}</code>
          </p>
          {excerpt === undefined ? null : (
            <pre tabindex={0} dir="ltr">
              {excerpt}
            </pre>
          )}
        </>
      ))}
    </div>
  );
