// Converts phone numbers to E.164. The only file that uses the library for phone numbers, which is loaded only for
// --phone-region.
import {
  getCountries,
  isSupportedCountry,
  ParseError,
  parsePhoneNumberWithError,
} from 'libphonenumber-js/min';
import { usageError } from '../core/errors.ts';

export type PhoneReader = (text: string) => { number: string } | { error: string };

const reasons: Record<string, string> = {
  NOT_A_NUMBER: 'is not a phone number',
  INVALID_COUNTRY: 'has an unknown country code',
  TOO_SHORT: 'is too short for a phone number',
  TOO_LONG: 'is too long for a phone number',
  INVALID_LENGTH: 'has the wrong number of digits',
};

export const isPhoneRegion = (text: string) => isSupportedCountry(text.toUpperCase());

/** Returns a function that reads numbers. Numbers without a country code belong to `region`. */
export function createPhoneReader(region: string): PhoneReader {
  const country = region.toUpperCase();
  if (!isSupportedCountry(country)) {
    throw usageError(`--phone-region: \`${region}\` is not a country code such as DE or US.`, {
      suggestion: { input: country, candidates: getCountries() },
    });
  }
  return (text) => {
    try {
      const phone = parsePhoneNumberWithError(text, { defaultCountry: country, extract: false });
      if (phone.isValid()) return { number: phone.number };
      return { error: `\`${text}\` is not a valid phone number in ${phone.country ?? country}` };
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      return {
        error: `\`${text}\` ${reasons[error.message] ?? 'cannot be read as a phone number'}`,
      };
    }
  };
}
