// The times that the sandbox supports, in milliseconds. ISO texts of these times sort in order of time.

export const minTime = 0;
export const maxTime = Date.parse('9999-12-31T23:59:59.999Z');

export const isSupportedTime = (time: number): boolean => time >= minTime && time <= maxTime;

/** Returns the supported time that is closest. */
export const boundTime = (time: number): number => Math.min(Math.max(time, minTime), maxTime);

export const toIso = (time: number): string => new Date(boundTime(time)).toISOString();

export const timeRangeText = `from ${toIso(minTime)} to ${toIso(maxTime)}`;
