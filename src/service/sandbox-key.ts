// The format of API keys of the sandbox, which is the one of the service.

export const sandboxKeyFormat = '32 lowercase hexadecimal digits';

export const isSandboxKey = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);
