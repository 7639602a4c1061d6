/**
 * Verification of XMLDSig in a SOAP message by a second implementation: canonicalisation by libxml2. The product writes
 * the canonical form itself.
 */
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { XmlC14NMode, XmlDocument, type XmlElement } from 'libxml2-wasm'
import { openGost } from '#platform/gost.ts'

/** The ГОСТ engine, for simulators. */
export const gost = openGost({
  async use(work) {
    const folder = await mkdtemp(join(tmpdir(), 'signatures-'))
    try {
      return await work(folder)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
})

const GOST_DIGEST = 'urn:ietf:params:xml:ns:cpxmlsec:algorithms:gostr34112012-256'
const GOST_SIGNATURE = 'urn:ietf:params:xml:ns:cpxmlsec:algorithms:gostr34102012-gostr34112012-256'
const CANONICAL = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const NAMES = {
  soapenv: 'http://schemas.xmlsoap.org/soap/envelope/',
  ds: 'http://www.w3.org/2000/09/xmldsig#',
  wsse: 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd',
  wsu: 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd',
}

/**
 * @returns what is wrong; undefined if each element with a `wsu:Id` in the body's row has one valid signature, and the body itself
 *   where it carries no row
 */
export async function faultOfSignatures(xml: string): Promise<string | undefined> {
  const document = XmlDocument.fromString(xml)
  try {
    const root = document.root
    const find = (path: string, from: XmlElement = root) => from.find(path, NAMES) as XmlElement[]
    const text = (path: string, from: XmlElement) => find(path, from)[0]?.content.trim() ?? ''
    const canonical = (element: XmlElement): Buffer =>
      Buffer.from(element.canonicalizeToString({ mode: XmlC14NMode.XML_C14N_EXCLUSIVE_1_0 }))
    const wanted = new Map(
      find(
        `//*[local-name()='row'][@wsu:Id] | //*[local-name()='row']//*[@wsu:Id] | //soapenv:Body[@wsu:Id][not(.//*[local-name()='row'])]`,
      ).map((element) => [element.attr('Id', 'wsu')?.value ?? '', element]),
    )
    if (wanted.size === 0) return 'Подписывать нечего: нет wsu:Id'
    const actors = new Set<string>()
    for (const security of find('/soapenv:Envelope/soapenv:Header/wsse:Security')) {
      actors.add(security.attr('actor', 'soapenv')?.value ?? '')
      const token = find('wsse:BinarySecurityToken', security)[0]
      const named = find('ds:Signature/ds:KeyInfo/wsse:SecurityTokenReference/wsse:Reference', security)[0]
      if (!token || named?.attr('URI')?.value !== `#${token.attr('Id', 'wsu')?.value}`)
        return 'Нет ссылки на сертификат'
      const infos = find('ds:Signature/ds:SignedInfo', security)
      const references = find('ds:Signature/ds:SignedInfo/ds:Reference', security)
      const [info, reference] = [infos[0], references[0]]
      if (!info || !reference || infos.length + references.length !== 2) return 'В подписи не одна ссылка'
      const algorithm = (path: string) => find(path, info)[0]?.attr('Algorithm')?.value ?? ''
      for (const path of ['ds:CanonicalizationMethod', 'ds:Reference/ds:Transforms/ds:Transform'])
        if (algorithm(path) !== CANONICAL) return 'Каноникализация не та'
      const id = reference.attr('URI')?.value.slice(1) ?? ''
      const part = wanted.get(id)
      if (!part) return `Подписано неизвестное: ${id}`
      wanted.delete(id)
      const isGost = algorithm('ds:SignatureMethod') === GOST_SIGNATURE
      if (isGost !== (await gost.isThere())) return `Алгоритм подписи не тот: ${algorithm('ds:SignatureMethod')}`
      if (isGost && algorithm('ds:Reference/ds:DigestMethod') !== GOST_DIGEST) return 'Алгоритм хэша не тот'
      const bytes = canonical(part)
      const digest = isGost ? (await gost.digests([bytes]))[0] : createHash('sha256').update(bytes).digest()
      if (digest?.toString('base64') !== text('ds:DigestValue', reference)) return `Хэш не сходится: ${id}`
      if (!isGost) continue
      const verified = await gost.verifyRaw(
        canonical(info),
        Buffer.from(text('ds:Signature/ds:SignatureValue', security), 'base64'),
        Buffer.from(token.content, 'base64'),
      )
      if (verified.state !== 'valid') return `Подпись неверна: ${id}`
    }
    const [left] = wanted.keys()
    if (left !== undefined) return `Не подписано: ${left}`
    return actors.size === find('/soapenv:Envelope/soapenv:Header/wsse:Security').length
      ? undefined
      : 'Два заголовка одному получателю'
  } finally {
    document.dispose()
  }
}
