const OF_DIRECTIVE = [
  ...['79-C', '132', '135-1', '143', '144', '146-1E', '148', '151', '153', '159', '309'],
  ...['1A', '1B', '1C', '1D', '1E', '1F', '1G', '1H', '1I', '1J', '1K', '1L', '1M', '1N', '1O', '1P', '1Q'].map(
    (part) => `132-${part}`,
  ),
  ...['1A', '1B', '1C', '1D', '1E', '1F', '1FA', '1G', '1H', '1I', '1J', '1K', '1L'].map((part) => `143-${part}`),
  ...['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((part) => `148-${part}`),
  ...['1A', '1AA', '1B', '1C', '1D', '1E'].map((part) => `151-${part}`),
]
const FRENCH = [
  ...['FRANCHISE', 'CNWVAT', '298SEXDECIESA', 'CGI275', 'CGI277A', 'CGI295', 'CGI261A', 'CGI261B'],
  ...['1', '2', '3', '4', '5', '7', '8', 'C-1', 'C-2', 'C-3', 'D-1', 'D-1BIS', 'D-2', 'D-3', 'D-4', 'E-1', 'E-2'].map(
    (part) => (/^\d/.test(part) ? `CGI261-${part}` : `CGI261${part}`),
  ),
]

/**
 * The codes of reasons for an exemption that EN 16931 knows (VATEX, from version 1.3.16 of its rules). Treatments with
 * a code of their own, such as export and reverse charge, are left out.
 */
export const EXEMPTION_CODES: ReadonlySet<string> = new Set([
  ...OF_DIRECTIVE.map((article) => `VATEX-EU-${article}`),
  ...FRENCH.map((article) => `VATEX-FR-${article}`),
])
