/** The kinds of files that people give, each with the endings of its names. */
export const FILE_KINDS = {
  pdf: { endings: ['.pdf'], refusal: 'Only PDF files are allowed', name: 'PDF' },
  // An .xls gets through: the server refuses it with a message that says what to do.
  table: { endings: ['.csv', '.xlsx', '.xls'], refusal: 'Only CSV files are allowed', name: 'CSV or Excel' },
  bank: {
    endings: ['.xml', '.zip', '.sta', '.mt940', '.940', '.swi', '.txt', '.c53', '.camt'],
    refusal: 'Only statements of a bank are allowed: CAMT.053 (.xml), MT940 (.sta), or a ZIP with them',
    name: 'bank',
  },
} as const
