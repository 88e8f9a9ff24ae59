/**
 * The texts that Excel and LibreOffice show if a formula has no value, in seven languages and in capital letters. Some
 * texts are the same in several languages.
 */
const ERRORS = new Set(
  [
    '#N/A, #NULL!, #DIV/0!, #VALUE!, #REF!, #NAME?, #NUM!, #SPILL!, #CALC!, #FIELD!, #BLOCKED!, #CONNECT!, #UNKNOWN!, #BUSY!',
    '#GETTING_DATA, #EXTERNAL!, #PYTHON!, #TIMEOUT!, #ERROR!',
    '#NV, #WERT!, #BEZUG!, #ZAHL!, #ÜBERLAUF!, #KALK!, #FELD!, #BLOCKIERT!, #VERBINDEN!, #UNBEKANNT!, #DATEN_ABRUFEN',
    '#NUL!, #VALEUR!, #NOM?, #NOMBRE!, #PROPAGATION!, #EPARS!, #CALCUL!, #CHAMP!, #BLOQUE!, #CONNEXION!, #INCONNU!',
    '#LEEG!, #DEEL/0!, #WAARDE!, #VERW!, #NAAM?, #GETAL!, #N/B, #OVERLOOP!, #BEREKENEN!, #VELD!, #GEBLOKKEERD!',
    '#¡NULO!, #NULO!, #¡DIV/0!, #¡VALOR!, #VALOR!, #¡REF!, #¿NOMBRE?, #NOMBRE?, #¡NUM!, #¡DESBORDAMIENTO!, #¡CALC!',
    '#¡CAMPO!, #CAMPO!, #¡BLOQUEADO!, #¡CONECTAR!, #¡DESCONOCIDO!',
    '#NULLO!, #VALORE!, #RIF!, #NOME?, #N/D, #ESPANSIONE!, #CALCOLO!, #BLOCCATO!, #SCONOSCIUTO!',
    '#ZERO!, #DZIEL/0!, #ARG!, #ADR!, #NAZWA?, #LICZBA!, #N/D!, #ROZLANIE!, #OBL!, #POLE!, #ZABLOKOWANE!, #NIEZNANE!',
  ].flatMap((line) => line.split(', ')),
)
const LONGEST_ERROR = 30

/**
 * The error of a spreadsheet in a cell, such as `#REF!`, `#WERT!` or LibreOffice's `Err:502`; null if the cell has
 * none.
 */
export function spreadsheetError(cell: string): string | null {
  if (cell.length > LONGEST_ERROR) return null
  const text = cell.trim().replace(/^['’]/, '')
  const error = text.normalize('NFC').toUpperCase()
  return ERRORS.has(error) || /^ERR:\d{3}$/.test(error) ? text : null
}

/** The message for an error in a cell that must have a value. */
export const spreadsheetErrorMessage = (error: string) =>
  `${error} is an error that a spreadsheet shows in place of a value: correct the formula and export it again.`
