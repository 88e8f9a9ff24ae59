import type { VatTypeTreatment } from './treatment.ts'

/** The standard rates of VAT in percent, in November 2026, for the European states in which devices are traded. */
const STANDARD_RATES: Readonly<Record<string, number>> = {
  ...{
    AT: 20,
    BE: 21,
    BG: 20,
    CH: 8.1,
    CY: 19,
    CZ: 21,
    DE: 19,
    DK: 25,
    EE: 24,
    ES: 21,
    FI: 25.5,
    FR: 20,
    GB: 20,
    GR: 24,
  },
  ...{ HR: 25, HU: 27, IE: 23, IT: 22, LT: 21, LU: 17, LV: 21, MT: 18, NL: 21, NO: 25, PL: 23, PT: 23, RO: 21, SE: 25 },
  ...{ SI: 22, SK: 23 },
}

export type UsualVat = { name: string; rate: number; treatment: VatTypeTreatment }

/**
 * The VAT rates that a seller of used devices in this country needs first. The list is empty if the country's rate is
 * not in the table above.
 */
export function usualVat(country: string | null): UsualVat[] {
  const rate = country === null ? undefined : STANDARD_RATES[country]
  if (rate === undefined) return []
  return [
    { name: 'Standard', rate, treatment: 'standard' },
    { name: 'Margin scheme', rate: 0, treatment: 'margin' },
  ]
}
