import {
  type FileColumn,
  IMPORT_FIELDS,
  type ImportField,
  INVERSE_NAMES,
  type Inverse,
  mayBeKnown,
} from './csv-columns.ts'

/**
 * Suppliers' names for our columns, in English, German, French, Dutch, Spanish, Italian and Polish. The clearest names
 * come first: if a file has several names of a field, the first one in this list fills it. Names of other things are
 * left out on purpose (`tested` does not tell the result), and so are names of prices in other currencies.
 */
const ALIASES: Readonly<Record<ImportField, readonly string[]>> = {
  backstock_item: [],
  backstock_id: ['backstock ref, backstock reference, backstock number, backstock no, backstock nr, backstock'],
  imei: [
    'imei 1, imei number, imei no, imei nr, imei num, imei code, imei sim 1, imei slot 1, primary imei, first imei',
    'device imei, phone imei, handset imei, imei meid, imei esn, imei sn, imei serial, serial imei, imei numbers',
    'imei nummer, erste imei, numero imei, n imei, code imei, imei nummer 1, codigo imei, codice imei, numer imei',
    'nr imei, kod imei, imeis, imei list, list of imeis, imei nummern, imei nummers, numeros imei, liste imei, lista imei',
    'numery imei',
  ],
  imei2: [
    'imei 2, second imei, secondary imei, imei secondary, imei sim 2, imei slot 2, imei no 2, imei number 2, imei nr 2',
    'imei nummer 2, zweite imei, deuxieme imei, tweede imei, segundo imei, secondo imei, drugi imei',
  ],
  meid: ['meid hex, meid number, meid no, meid code'],
  eid: ['esim eid, eid number, eid no, esim id, euicc id'],
  serial_number: [
    'serial, serial no, serial nr, serial num, sn, s n, serial numbers, device serial, serial code',
    'seriennummer, seriennr, serien nr, numero de serie, no de serie, n de serie, num serie, n serie, n° de serie',
    'serienummer, serienr, serie nr, numero serie, numero di serie, seriale, matricola, numer seryjny, nr seryjny, serie',
  ],
  status: ['stock status, item status'],
  make: [
    'brand, manufacturer, maker, oem, brand name, make name, phone brand, device brand, manufacturer name',
    'marke, hersteller, marque, fabricant, constructeur, merk, fabrikant, marca, fabricante, produttore, marka, producent',
  ],
  model: [
    'model name, device model, phone model, model description, modell, modellname, modele, modelo, modello',
    'modelnaam, model telefonu, device, device name, handset, phone, geraet, gerat, appareil, toestel, apparaat',
    'dispositivo, urzadzenie, telefon, product, product name, produkt, produktname, produit, producto, prodotto',
    'nazwa produktu, item, item name, article, artikel, articulo, articolo, towar, description, item description',
    'product description, bezeichnung, artikelbezeichnung, designation, omschrijving, descripcion, descrizione, opis',
    'nazwa towaru, nazwa artykulu, nazwa, title, libelle, designation produit, nom du produit, nombre del producto',
    'nome prodotto, productnaam, artikelnaam, artikelname, produktbezeichnung, geraetebezeichnung, geratebezeichnung',
  ],
  capacity: [
    'storage, storage capacity, storage gb, storage size, internal storage, capacity gb, memory, memory size',
    'memory gb, internal memory, speicher, speicherplatz, speichergroesse, speichergrosse, speicher gb',
    'speicherkapazitaet, speicherkapazitat, kapazitaet, kapazitat, capacite, capacite gb, capacite go, stockage, memoire',
    'opslag, opslagcapaciteit, geheugen, capaciteit, capacidad, almacenamiento, memoria, capacita, archiviazione',
    'pojemnosc, pamiec, gb, rom, size',
  ],
  capacity_unit: ['storage unit, memory unit, unit of capacity, speichereinheit'],
  colour: [
    'color, colour name, color name, device colour, device color, farbe, couleur, coloris, kleur, colore, kolor, barwa',
  ],
  category: [
    'product category, device category, item category, product type, device type, item type, product group, kategorie',
    'produktgruppe, warengruppe, geraetetyp, geratetyp, categorie, type de produit, type produit, productgroep, categoria',
    'tipo de producto, tipo di prodotto, tipo prodotto, kategoria, rodzaj, type, typ, tipo',
  ],
  supplier: [
    'supplier name, vendor, vendor name, seller, lieferant, fournisseur, leverancier, proveedor, fornitore, dostawca',
  ],
  purchase_price: [
    'purchase price net, net purchase price, purchase cost, unit price, unit price net, net unit price, buy price',
    'buying price, bought for, cost price, unit cost, cost, net price, price net, price ex vat, price excl vat',
    'price per unit, price each, price, einkaufspreis, einkaufspreis netto, ek preis, ek netto, ek, stueckpreis',
    'stuckpreis, einzelpreis netto, einzelpreis, nettopreis, preis netto, preis, prix d achat, prix achat, prix d achat ht, prix unitaire',
    'prix unitaire ht, prix ht, prix, cout, inkoopprijs, inkoop, stukprijs, eenheidsprijs, prijs per stuk, nettoprijs',
    'prijs, precio de compra, precio compra, precio unitario, precio neto, precio, coste, costo, prezzo di acquisto',
    'prezzo d acquisto, prezzo acquisto, prezzo unitario, prezzo netto, prezzo, cena zakupu, cena zakupu netto',
    'cena jednostkowa, cena jednostkowa netto, cena jedn, cena jedn netto, cena netto, cena, koszt, pu ht, p u ht, pu, amount',
  ],
  purchase_currency: [
    'currency, currency code, cur, ccy, waehrung, wahrung, devise, monnaie, valuta, munteenheid, moneda, divisa, waluta',
  ],
  purchase_fx_rate: [
    'exchange rate, rate of exchange, fx rate, wechselkurs, taux de change, wisselkoers, tipo de cambio, tasso di cambio',
    'kurs waluty',
  ],
  purchase_date: [
    'date of purchase, date purchased, purchased on, purchased, buy date, buying date, bought on, kaufdatum',
    'einkaufsdatum, date d achat, date achat, aankoopdatum, inkoopdatum, fecha de compra, fecha compra',
    'data di acquisto, data d acquisto, data acquisto, data zakupu, invoice date, rechnungsdatum, date de facture',
    'factuurdatum, fecha de factura, data fattura, data faktury, date received, received, received on, date, datum',
    'fecha, data',
  ],
  purchase_vat: ['vat treatment, purchase treatment, tax treatment'],
  sales_price: [
    'sale price, sell price, selling price, retail price, resale price, asking price, target price, list price, rrp',
    'verkaufspreis, vk preis, vk netto, vk, prix de vente, verkoopprijs, precio de venta, precio venta',
    'prezzo di vendita, prezzo vendita, cena sprzedazy',
  ],
  sales_currency: ['sale currency, selling currency'],
  vat: [
    'vat rate, vat type, vat percent, vat scheme, tax rate, tax type, tax scheme, tax, mwst, mwst satz, mehrwertsteuer',
    'ust, ust satz, umsatzsteuer, steuersatz, tva, taux tva, taux de tva, btw, btw tarief, btw percentage, iva',
    'tipo de iva, tipo iva, aliquota iva, aliquota, stawka vat',
  ],
  network_locked: [
    'sim lock, sim locked, network lock, carrier lock, carrier locked, locked, lock status, simlock status, gesperrt',
    'sim sperre, netzsperre, netlock, verrouille, verrouillage, verrouille operateur, simlockstatus, bloqueado',
    'bloqueo de red, bloqueo operador, bloccato, blocco operatore, blokada sim, blokada simlock, blokada, lock',
    'network status, network, carrier',
  ],
  engineer_notes: [
    'engineer note, notes, note, comments, comment, remarks, remark, defects, defect, faults, fault, issues, issue',
    'fault description, description of fault, bemerkung, bemerkungen, anmerkung, anmerkungen, notizen, kommentar, maengel',
    'mangel, remarque, remarques, commentaire, commentaires, observations, defauts, opmerking, opmerkingen, notities',
    'gebreken, notas, observaciones, comentarios, defectos, osservazioni, commenti, difetti, uwagi, komentarz, notatki',
    'usterki',
  ],
  grade: [
    'cosmetic grade, grade cosmetic, final grade, device grade, product grade, overall grade, visual grade, grading',
    'cosmetic condition, condition, cosmetic, appearance, optischer zustand, zustand, etat cosmetique, etat',
    'cosmetische staat, conditie, staat, estado cosmetico, estado, condicion, condizione, condizioni, stan wizualny',
    'stan, klasa, klasse, kwaliteit, qualitaet, qualitat, qualite, calidad, qualita, jakosc, quality, grado',
  ],
  functional: [
    'functional grade, grade functional, functional status, functionality, function, functional condition',
    'working condition, working, test result, test status, funktion, funktionsfaehig, funktionsfahig, funktionalitaet',
    'funktionalitat, testergebnis, fonctionnel, fonctionnement, etat fonctionnel, functioneel, werking, funcional',
    'funcionamiento, funcionalidad, funzionale, funzionante, funzionamento, funkcjonalnosc, sprawny, dzialanie',
  ],
  battery_health: [
    'battery, battery percentage, battery percent, battery pct, battery soh, battery state of health, soh, bh, batt',
    'batt health, battery capacity, battery max capacity, battery condition, akku, akkuzustand, akkukapazitaet',
    'akkukapazitat, akku kapazitat, batteriezustand, batterie, sante batterie, sante de la batterie, etat batterie',
    'capacite batterie, batterij, batterijconditie, batterij conditie, accu, accuconditie, bateria, salud bateria',
    'salud de la bateria, estado de la bateria, batteria, salute batteria, stato batteria, kondycja baterii, stan baterii',
  ],
  location: [
    'storage location, warehouse location, bin location, bin, shelf, warehouse, lagerort, lagerplatz, regal, emplacement',
    'locatie, magazijnlocatie, ubicacion, ubicazione, posizione, lokalizacja',
  ],
}

/** Suppliers' names for columns that say the opposite of a column of ours. */
const OPPOSITES: Readonly<Record<Inverse, readonly string[]>> = {
  network_unlocked: [
    'unlocked, is unlocked, sim unlocked, carrier unlocked, factory unlocked, fully unlocked, unlocked status',
    'unlock status, unlocked device, unlocked phone, unlock, unlocked yes no, sim free, is sim free, sim free unlocked',
    'simlock free, lock free, network free, open network, no lock, no sim lock, not locked, without sim lock',
    'simlockvrij, sim vrij, vrij van simlock, vrij, ontgrendeld, zonder simlock, geen simlock, netwerkvrij',
    'entsperrt, simlockfrei, sim frei, frei, freigeschaltet, netzfrei, frei fur alle netze, frei fuer alle netze',
    'ohne simlock, kein simlock, ist entsperrt, nicht gesperrt, desimlocke, desimlockee, debloque, debloquee',
    'deverrouille, deverrouillee, libre, sans simlock, tout operateur, tous operateurs, debloque tout operateur',
    'libre tout operateur, non verrouille, libre de operador, libre de fabrica, liberado, liberada, desbloqueado',
    'desbloqueada, sin simlock, sin bloqueo, sin bloqueo de operador, sbloccato, sbloccata, libero, libero da operatore',
    'senza simlock, senza blocco, senza blocco operatore, bez simlocka, bez simlock, bez blokady, bez blokady sim',
    'bez blokady simlock, odblokowany, odblokowana, odblokowane, zdjety simlock',
  ],
  faulty: [
    'is faulty, faulty device, defective, is defective, broken, not working, non working, non functional, not functional',
    'kapot, niet werkend, werkt niet, defekt, ist defekt, kaputt, nicht funktionsfahig, nicht funktionsfaehig',
    'funktioniert nicht, defectueux, en panne, non fonctionnel, hors service, ne fonctionne pas, defectuoso, averiado',
    'no funciona, no funcional, difettoso, guasto, non funzionante, non funziona, uszkodzony, niesprawny, nie dziala',
    'wadliwy',
  ],
}

/**
 * Names that do not tell what a yes means: under `Network`, it could mean locked or unlocked. So a plain yes or no
 * there says nothing.
 */
export const NEUTRAL: ReadonlySet<string> = new Set(['network', 'carrier', 'networkstatus'])

/**
 * Letters that Unicode does not split into a plain letter and an accent, with the letters that people type in their
 * place.
 */
const UNMARKED: Readonly<Record<string, string>> = { ł: 'l', ß: 'ss', æ: 'ae', ø: 'o', œ: 'oe' }

/**
 * The key of a header: its letters and digits without accents, blanks, case and the euro. It is empty if the header is
 * too long for an alias or in another script. Signs of other currencies stay, so that `Price ($)` is no price in euros.
 */
export function aliasKey(name: string): string {
  if (!mayBeKnown(name)) return ''
  const words = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[łßæøœ]/g, (letter) => UNMARKED[letter]!)
    .split(/[^\p{L}\p{N}$£]+/u)
    .filter(Boolean)
  const kept = words.filter((word) => word !== 'eur' && word !== 'euro')
  return (kept.length > 0 ? kept : words).join('')
}

const IN_BRACKETS = /\([^()]*\)|\[[^[\]]*\]/g
const WITHOUT_TAX = /(?<![\s,-])[\s,-]+(?:ex|excl|excluding|without|ohne|zzgl|exkl|hors|zonder|sin|senza|bez)\b.*$/i
/**
 * Names that are not shortened: a price with VAT is not the same as one without, and neither is a price in another
 * currency.
 */
const WITH_TAX = /\b(?:inc|incl|inkl|including|gross|brutto|ttc|bruto|lordo)/i
const CURRENCY = /[$£]|\b(?!EUR)[A-Z]{3}\b/

/**
 * Words that swap the meaning of yes and no. A name with one of them keeps its addition in brackets, as in 'Network
 * (unlocked?)'.
 */
const TURNS =
  /unlock|free|vrij|frei|entsperr|simlock[eé]|d[eé]bloq|d[eé]verr|libr|liber|sblocc|odblok|faulty|defective|defekt|broken|kap?ut|kapot|guast|uszkodz|\b(?:not|no|non|nicht|kein|niet|geen|pas|nie|ohne|zonder|sans|sin|senza|bez) ?(?:sim|lock|work|funk|fonc|func|funz|werk|spraw)/i

/** A column's name without additions: 'Unit cost EUR excl. VAT' is 'Unit cost EUR', 'Grade (A-D)' is 'Grade'. */
export const bareName = (name: string) =>
  !mayBeKnown(name) || WITH_TAX.test(name) || TURNS.test(name)
    ? name
    : name.replace(IN_BRACKETS, (said) => (CURRENCY.test(said) ? said : ' ')).replace(WITHOUT_TAX, '')

const keysOf = (column: FileColumn, aliases: readonly string[]) =>
  [column, ...aliases.flatMap((line) => line.split(', '))].map(aliasKey)

/** The keys of each column: first that of its own name, then those of its aliases, the clearest first. */
export const ALIAS_KEYS: readonly (readonly [column: FileColumn, keys: readonly string[]])[] = [
  ...IMPORT_FIELDS.map((field) => [field, keysOf(field, ALIASES[field])] as const),
  ...INVERSE_NAMES.map((inverse) => [inverse, keysOf(inverse, OPPOSITES[inverse])] as const),
]
