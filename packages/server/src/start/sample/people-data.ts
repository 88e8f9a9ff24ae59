import type { CustomerInput } from '@backstock/contract/customer.ts'
import type { PurchaseTreatment } from '@backstock/contract/treatment.ts'

/** The seller. Its VAT number and IBAN are examples that the Dutch tax office and banks have published. */
export const COMPANY = {
  name: 'Tweede Leven Mobiel B.V.',
  address_1: 'Keilestraat 42',
  address_2: null,
  city: 'Rotterdam',
  state: null,
  postal_code: '3029 BP',
  country_code: 'NL',
  vat_number: 'NL000099998B57',
  registration: 'KvK 00000000',
  email: 'sales@tweedeleven.test',
  phone: '+31 10 555 0142',
  bank_name: 'ABN AMRO',
  margin_rate: 2100,
  iban: 'NL91ABNA0417164300',
  bic: 'ABNANL2A',
  payment_terms:
    'Payment by bank transfer, stating the invoice number. Goods remain our property until they are paid in full.',
  payment_days: 14,
  mail_from: 'sales@tweedeleven.test',
  time_zone: 'Europe/Amsterdam',
}

/** The staff. Their passwords are random until an administrator sets others. */
export const STAFF = [
  { name: 'Sanne de Vries', email: 'sanne@tweedeleven.test' },
  { name: 'Piotr Wójcik', email: 'piotr@tweedeleven.test' },
  { name: 'Eleni Papadaki', email: 'eleni@tweedeleven.test' },
]

type SupplierRow = [
  company: string,
  first: string,
  last: string,
  email: string,
  phone: string,
  country: string,
  vatNumber: string,
  bought: PurchaseTreatment,
]

/** Three of the suppliers buy from private people and sell under the margin scheme. */
// biome-ignore format: a table
export const SUPPLIERS: SupplierRow[] = [
  ['Kringloop Telecom B.V.', 'Bram', 'Hendriks', 'inkoop@kringloop.test', '+31 20 555 0110', 'NL', 'NL999990100B01', 'margin'],
  ['Handy Rückkauf GmbH', 'Jürgen', 'Müller', 'verkauf@rueckkauf.test', '+49 30 555 0121', 'DE', 'DE999990504', 'margin'],
  ['Shannon Device Recovery Ltd', 'Aoife', 'Byrne', 'trade@shannon-recovery.test', '+353 61 555 0132', 'IE', 'IE9999050S', 'intra_community'],
  ['Reprise Mobile SARL', 'Chloé', 'Lefèvre', 'achats@reprise.test', '+33 1 55 55 01 43', 'FR', 'FR35999990500', 'margin'],
  ['Skup Komórek Sp. z o.o.', 'Małgorzata', 'Zielińska', 'biuro@skup.test', '+48 22 555 01 54', 'PL', 'PL9999990509', 'intra_community'],
  ['Leasing Retour België NV', 'Wouter', 'Peeters', 'retour@leasing.test', '+32 3 555 01 65', 'BE', 'BE0999905001', 'intra_community'],
]

/** The supplier for which the shop writes the invoices. */
export const SELF_BILLED = 'Reprise Mobile SARL'

type CustomerRow = [
  first: string,
  last: string,
  company: string | null,
  vatNumber: string | null,
  street: string,
  postalCode: string,
  city: string,
  country: string,
  email: string,
]

// biome-ignore format: a table
export const CUSTOMERS: CustomerRow[] = [
  ['Daan', 'Bakker', 'Telefoonhuis Utrecht B.V.', 'NL999990000B42', 'Oudegracht 118', '3511 AW', 'Utrecht', 'NL', 'daan@telefoonhuis.test'],
  ['Fleur', 'Jansen', 'Groningen Mobiel V.O.F.', 'NL999990001B33', 'Folkingestraat 9', '9711 JS', 'Groningen', 'NL', 'fleur@gromobiel.test'],
  ['Ruben', 'Smit', null, null, 'Lange Voorhout 3', '2514 EA', 'Den Haag', 'NL', 'ruben.smit@post.test'],
  ['Jörg', 'Schäfer', 'Schäfer Mobilfunk GmbH', 'DE999990002', 'Königsallee 27', '40212', 'Düsseldorf', 'DE', 'j.schaefer@mobilfunk.test'],
  ['Ute', 'Größmann', 'Handywerkstatt Größmann', 'DE999990019', 'Weißgerberstraße 6', '90403', 'Nürnberg', 'DE', 'ute@handywerkstatt.test'],
  ['Björn', 'Kühn', 'Nordlicht Telekom GmbH', 'DE999990027', 'Mönckebergstraße 15', '20095', 'Hamburg', 'DE', 'kuehn@nordlicht.test'],
  ['Annika', 'Vogel', 'Second Screen UG', 'DE999990035', 'Torstraße 88', '10119', 'Berlin', 'DE', 'annika@secondscreen.test'],
  ['Lotte', 'Maes', 'Gsm Hoek BVBA', 'BE0999900051', 'Meir 61', '2000', 'Antwerpen', 'BE', 'lotte@gsmhoek.test'],
  ['Thibault', 'Dubois', 'Point Mobile SPRL', 'BE0999900150', 'Rue Neuve 40', '1000', 'Bruxelles', 'BE', 'thibault@pointmobile.test'],
  ['Élodie', 'Garnier', 'Mobiles d’Occasion SAS', 'FR87999990000', '12 rue de la République', '69002', 'Lyon', 'FR', 'elodie@occasion.test'],
  ['Hervé', 'Lemaître', 'Le Comptoir du Téléphone', 'FR90999990001', '5 boulevard Voltaire', '75011', 'Paris', 'FR', 'herve@comptoir.test'],
  ['Noémie', 'Faure', null, null, '31 cours Mirabeau', '13100', 'Aix-en-Provence', 'FR', 'noemie.faure@post.test'],
  ['Ciarán', 'O’Sullivan', 'Liffey Phones Ltd', 'IE9999000D', '14 Capel Street', 'D01 X2P4', 'Dublin', 'IE', 'ciaran@liffeyphones.test'],
  ['Niamh', 'Gallagher', 'Corrib Mobile Ltd', 'IE9999001F', '7 Shop Street', 'H91 Y6T2', 'Galway', 'IE', 'niamh@corribmobile.test'],
  ['Agnieszka', 'Dąbrowska', 'Łódzki Serwis GSM Sp. z o.o.', 'PL9999990001', 'ul. Piotrkowska 104', '90-004', 'Łódź', 'PL', 'agnieszka@serwisgsm.test'],
  ['Grzegorz', 'Brzęczyszczykiewicz', 'Komórkowo s.c.', 'PL9999990018', 'ul. Świętokrzyska 20', '00-002', 'Warszawa', 'PL', 'grzegorz@komorkowo.test'],
  ['Żaneta', 'Kołodziej', 'Wrocław Mobile', 'PL9999990024', 'ul. Świdnicka 36', '50-068', 'Wrocław', 'PL', 'zaneta@wroclawmobile.test'],
  ['Γιώργος', 'Παπαδόπουλος', 'Κινητά Αθήνας Ε.Π.Ε.', 'EL999990009', 'Ερμού 56', '105 63', 'Αθήνα', 'GR', 'giorgos@kinita.test'],
  ['Μαρία', 'Οικονόμου', 'Θεσσαλονίκη Mobile', 'EL999990010', 'Τσιμισκή 78', '546 22', 'Θεσσαλονίκη', 'GR', 'maria@thessmobile.test'],
  ['Íñigo', 'Núñez', 'Segunda Llamada S.L.', 'ESB99990004', 'Calle de Fuencarral 93', '28004', 'Madrid', 'ES', 'inigo@segundallamada.test'],
  ['Montserrat', 'Puig', 'Mòbils Gràcia S.L.', 'ESB99990012', 'Carrer de Verdi 22', '08012', 'Barcelona', 'ES', 'montse@mobilsgracia.test'],
  ['Niccolò', 'Ferrari', 'Usato Sicuro S.r.l.', 'IT99990000012', 'Via Torino 48', '20123', 'Milano', 'IT', 'niccolo@usatosicuro.test'],
  ['Giulia', 'D’Angelo', 'Telefonia Partenope S.r.l.', 'IT99990010011', 'Via Toledo 210', '80132', 'Napoli', 'IT', 'giulia@partenope.test'],
  ['Käthe', 'Österreicher', 'Wiener Handybörse e.U.', 'ATU99990000', 'Mariahilfer Straße 71', '1060', 'Wien', 'AT', 'kaethe@handyboerse.test'],
  ['Leopold', 'Weiß', 'Grazer Mobilstube', 'ATU99990019', 'Herrengasse 12', '8010', 'Graz', 'AT', 'leopold@mobilstube.test'],
]

/** Agreements with customers, by their index in the list above. For all others, the country and the company decide. */
export const TERMS: Readonly<Record<number, Pick<CustomerInput, 'registration' | 'lang' | 'payment_days'>>> = {
  0: { registration: 'KVK 99999001', payment_days: 30 },
  3: { registration: 'HRB 999001 Düsseldorf', payment_days: 30 },
  5: { registration: 'HRB 999002 Hamburg', lang: 'en' },
  8: { lang: 'fr' },
  9: { registration: 'RCS Lyon 999 990 000', payment_days: 45 },
  12: { registration: 'CRO 999003', payment_days: 7 },
  14: { registration: 'KRS 0000999004', payment_days: 21 },
  17: { registration: 'Γ.Ε.ΜΗ. 999005000', lang: 'en', payment_days: 0 },
}

// biome-ignore format: a table
export const DIALLING_CODES: Record<string, number> = {
  NL: 31, DE: 49, BE: 32, FR: 33, IE: 353, PL: 48, GR: 30, ES: 34, IT: 39, AT: 43,
}

/** The partners, each with the customer (by the index above) to whom its orders are sold. */
export const PARTNERS = [
  { name: 'Liffey Phones webshop', customer: 12 },
  { name: 'Schäfer Mobilfunk ERP', customer: 3 },
]
