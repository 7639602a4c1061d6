/**
 * Signatures of the parts of a sheet: XMLDSig by ГОСТ 2012 within WS-Security, one header for each part
 * (inputs/eln/facts.md; draft-chudov-cryptopro-cpxmldsig). A browser signs the canonical bytes of `SignedInfo`.
 */
import { createHash } from 'node:crypto'
import { gostDigests } from '#areas/signatures/index.ts'
import { escapedXml } from '#platform/xml/text.ts'
import type { AppContext } from '#records/context.ts'

const DS = 'http://www.w3.org/2000/09/xmldsig#'
const WSS = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss'
const WSSE = `${WSS}-wssecurity-secext-1.0.xsd`
const CANONICAL = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const GOST = 'urn:ietf:params:xml:ns:cpxmlsec:algorithms'
/** Without the ГОСТ engine only the simulator of signatures signs, and only simulators read it. */
const algorithms = {
  gost: { signature: `${GOST}:gostr34102012-gostr34112012-256`, digest: `${GOST}:gostr34112012-256` },
  test: { signature: 'urn:ordinator:test-signature', digest: 'http://www.w3.org/2001/04/xmlenc#sha256' },
} as const

/** A part in canonical form, and its `wsu:Id`. */
export interface ToDigest {
  id: string
  xml: string
}

export interface SignedPart {
  /** `wsu:Id` of the part. */
  id: string
  /** Canonical. */
  signedInfo: string
  /** Base64 */
  signature: string
  /** Base64 of DER; empty for a stand-in of the simulator. */
  certificate: string
}

/** In canonical form: the same bytes within the message and to be signed. */
const signedInfo = (id: string, digest: Buffer, { signature, digest: method }: (typeof algorithms)['gost' | 'test']) =>
  `<ds:SignedInfo xmlns:ds="${DS}"><ds:CanonicalizationMethod Algorithm="${CANONICAL}"></ds:CanonicalizationMethod><ds:SignatureMethod Algorithm="${signature}"></ds:SignatureMethod><ds:Reference URI="#${id}"><ds:Transforms><ds:Transform Algorithm="${CANONICAL}"></ds:Transform></ds:Transforms><ds:DigestMethod Algorithm="${method}"></ds:DigestMethod><ds:DigestValue>${digest.toString('base64')}</ds:DigestValue></ds:Reference></ds:SignedInfo>`

/** Digests by the content: a page of a sheet is opened more often than it changes. */
const known = new Map<string, Buffer>()
const MOST_KNOWN = 5000
const nameOf = (xml: string): string => createHash('sha256').update(xml).digest('base64')

/** The bytes that are signed for each of the parts. */
export async function signedInfos(app: AppContext, parts: readonly ToDigest[]): Promise<string[]> {
  const names = parts.map(({ xml }) => nameOf(xml))
  const fresh = parts.filter((_part, at) => !known.has(names[at] as string))
  const made = await gostDigests(
    app,
    fresh.map(({ xml }) => Buffer.from(xml)),
  )
  if (!made)
    return parts.map(({ id, xml }) => signedInfo(id, createHash('sha256').update(xml).digest(), algorithms.test))
  if (known.size > MOST_KNOWN) known.clear()
  const found = new Map(fresh.map(({ xml }, at) => [nameOf(xml), made[at] as Buffer]))
  for (const [name, digest] of found) known.set(name, digest)
  return parts.map(({ id }, at) => {
    const name = names[at] as string
    return signedInfo(id, (found.get(name) ?? known.get(name)) as Buffer, algorithms.gost)
  })
}

/** The header of one signed part. @param named the name of its signer: `http://eln.fss.ru/actor/mo/…` */
export function securityHeader(named: string, { signedInfo: info, signature, certificate }: SignedPart): string {
  const actor = escapedXml(named)
  const type = `${WSS}-x509-token-profile-1.0#X509v3`
  return `<wsse:Security xmlns:wsse="${WSSE}" soapenv:actor="${actor}"><wsse:BinarySecurityToken EncodingType="${WSS}-soap-message-security-1.0#Base64Binary" ValueType="${type}" wsu:Id="${actor}">${certificate}</wsse:BinarySecurityToken><ds:Signature xmlns:ds="${DS}">${info}<ds:SignatureValue>${escapedXml(signature)}</ds:SignatureValue><ds:KeyInfo><wsse:SecurityTokenReference><wsse:Reference URI="#${actor}" ValueType="${type}"></wsse:Reference></wsse:SecurityTokenReference></ds:KeyInfo></ds:Signature></wsse:Security>`
}
