/** The profiles of e-invoices that a customer may ask for, beside the plain European standard EN 16931. */
export const E_INVOICE_PROFILES = ['xrechnung', 'peppol'] as const
export type EInvoiceProfile = (typeof E_INVOICE_PROFILES)[number]

export const PROFILE_NAMES: Readonly<Record<EInvoiceProfile, string>> = {
  xrechnung: 'XRechnung',
  peppol: 'Peppol BIS Billing 3',
}

/** The XML files of each profile. The first is the one that is handed over to a connector. */
export const PROFILE_FILES = {
  xrechnung: ['xrechnung-ubl', 'xrechnung-cii'],
  peppol: ['peppol'],
} as const satisfies Record<EInvoiceProfile, readonly [string, ...string[]]>
export type ProfileFile = (typeof PROFILE_FILES)[EInvoiceProfile][number]

/** The names of the files beside the name of their profile. */
export const PROFILE_FILE_NAMES: Readonly<Record<ProfileFile, string>> = {
  'xrechnung-ubl': 'UBL',
  'xrechnung-cii': 'CII',
  peppol: 'UBL',
}
