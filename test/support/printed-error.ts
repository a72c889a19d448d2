interface PrintedError {
  code: number;
  name: string;
  message: string;
  hint: string;
  next: string[];
  details: { field: string; message: string }[];
}

/** The error that a command with `--json` printed to stderr. */
export const printedError = (stderr: string) =>
  (JSON.parse(stderr) as { error: PrintedError }).error;
