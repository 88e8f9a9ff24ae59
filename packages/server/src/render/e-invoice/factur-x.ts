const PREFIX = 'fx'
const NAMESPACE = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#'
export const FILE_NAME = 'factur-x.xml'

/**
 * The properties of the embedded XML. PDF/A demands a description of each property that PDF/A does not define itself.
 */
const PROPERTIES: [name: string, value: string, description: string][] = [
  ['DocumentType', 'INVOICE', 'INVOICE'],
  ['DocumentFileName', FILE_NAME, 'name of the embedded XML invoice file'],
  ['Version', '1.0', 'The actual version of the Factur-X XML schema'],
  ['ConformanceLevel', 'EN 16931', 'The conformance level of the embedded Factur-X data'],
]

/** The part of a PDF's metadata that Factur-X 1.0 adds. Without its extension schema, the file would not be PDF/A. */
export function facturXMetadata(): string {
  const values = PROPERTIES.map(([name, value]) => `<${PREFIX}:${name}>${value}</${PREFIX}:${name}>`)
  const described = PROPERTIES.map(
    ([name, , description]) => `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${name}</pdfaProperty:name>
<pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category>
<pdfaProperty:description>${description}</pdfaProperty:description></rdf:li>`,
  )
  return `
<rdf:Description rdf:about="" xmlns:${PREFIX}="${NAMESPACE}">${values.join('')}</rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
 xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>${NAMESPACE}</pdfaSchema:namespaceURI><pdfaSchema:prefix>${PREFIX}</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq>${described.join('')}</rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>`
}

/** The embedded file in the form of pdfmake. It is a data URL, because a data URL also gives the file its type. */
export function facturXFile(xml: string, now: Date) {
  return {
    [FILE_NAME]: {
      src: `data:text/xml;base64,${Buffer.from(xml).toString('base64')}`,
      name: FILE_NAME,
      description: 'Factur-X invoice',
      relationship: 'Alternative',
      creationDate: now,
      modifiedDate: now,
    },
  }
}
