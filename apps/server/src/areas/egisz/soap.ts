/** Messages of the register: SOAP 1.2 envelopes by templates, and the parser of replies. */

import type { Reason } from '#platform/outbox.ts'
import { escapedXml } from '#platform/xml/text.ts'
import { all, valueAt } from '#platform/xml/tree.ts'
import type { XmlNode } from '#platform/xml/xml.ts'

export const SOAP_TYPE = 'application/soap+xml; charset=utf-8'
const EMDR = 'http://egisz.rosminzdrav.ru/iehr/emdr/service/'

export interface Envelope {
  messageId: string
  action: string
  /** Our МИС. */
  system: string
  replyTo?: string
  relatesTo?: string
  /** XML */
  body: string
}

export const envelope = ({ messageId, action, system, replyTo, relatesTo, body }: Envelope): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:a="http://www.w3.org/2005/08/addressing" xmlns:e="${EMDR}"><s:Header><a:MessageID>${escapedXml(messageId)}</a:MessageID><a:Action>${escapedXml(action)}</a:Action>${replyTo ? `<a:ReplyTo><a:Address>${escapedXml(replyTo)}</a:Address></a:ReplyTo>` : ''}${relatesTo ? `<a:RelatesTo>${escapedXml(relatesTo)}</a:RelatesTo>` : ''}<e:transportHeader><authInfo><clientEntityId>${escapedXml(system)}</clientEntityId></authInfo></e:transportHeader></s:Header><s:Body>${body}</s:Body></s:Envelope>`

export interface RegisterRequest {
  localUid: string
  kind: string
  oid: string
  doctorSnils: string
  doctorPost: string
  date: string
  patientSnils: string
  /** base64 */
  document: string
  signatures: readonly { role: string; body: string }[]
  /** The document that this one replaces. */
  replaces?: string | undefined
}

export const registerBody = (asked: RegisterRequest): string =>
  `<e:registerDocument><localUid>${asked.localUid}</localUid><kind>${escapedXml(asked.kind)}</kind><organization>${escapedXml(asked.oid)}</organization><creationDateTime>${asked.date}</creationDateTime><patient><snils>${escapedXml(asked.patientSnils)}</snils></patient><author><snils>${escapedXml(asked.doctorSnils)}</snils><post>${escapedXml(asked.doctorPost)}</post></author>${asked.replaces ? `<replacedEmdrId>${escapedXml(asked.replaces)}</replacedEmdrId>` : ''}<document>${asked.document}</document><signatures>${asked.signatures.map(({ role, body }) => `<signature role="${escapedXml(role)}">${body}</signature>`).join('')}</signatures></e:registerDocument>`

export const cancelBody = ({
  localUid,
  emdrId,
  reason,
}: {
  localUid: string
  emdrId: string
  reason: string
}): string =>
  `<e:cancelDocument><localUid>${localUid}</localUid><emdrId>${escapedXml(emdrId)}</emdrId><reason>${escapedXml(reason)}</reason></e:cancelDocument>`

export const fileBody = ({
  localUid,
  document,
  signatures,
}: Pick<RegisterRequest, 'localUid' | 'document' | 'signatures'>): string =>
  `<e:getDocumentFileResponse><status>success</status><localUid>${localUid}</localUid><document>${document}</document><signatures>${signatures.map(({ role, body }) => `<signature role="${escapedXml(role)}">${body}</signature>`).join('')}</signatures></e:getDocumentFileResponse>`

export const faultBody = (code: string, message: string): string =>
  `<s:Fault><s:Code><s:Value>s:Sender</s:Value></s:Code><s:Reason><s:Text xml:lang="ru">${escapedXml(message)}</s:Text></s:Reason><s:Detail><code>${escapedXml(code)}</code></s:Detail></s:Fault>`

/** A parsed message of the register. */
export interface RegisterAnswer {
  /** Local name of the first element of the body. */
  what: string
  messageId: string | undefined
  relatesTo: string | undefined
  status: string | undefined
  localUid: string | undefined
  emdrId: string | undefined
  date: string | undefined
  errors: Reason[]
}

/** @returns undefined if it is no SOAP envelope */
export function readSoap(root: XmlNode): RegisterAnswer | undefined {
  if (root.name !== 'Envelope') return undefined
  const bodies = root.children.filter(({ name }) => name === 'Body')
  // Of several bodies, another one could be read elsewhere.
  if (bodies.length !== 1 || bodies[0]?.children.length !== 1) return undefined
  const body = bodies[0].children[0] as XmlNode
  const header = root.children.find(({ name }) => name === 'Header')
  return {
    what: body.name,
    messageId: header && valueAt(header, 'MessageID'),
    relatesTo: valueAt(body, 'relatesToMessage') ?? (header && valueAt(header, 'RelatesTo')),
    status: valueAt(body, 'status')?.toLowerCase(),
    localUid: valueAt(body, 'localUid'),
    emdrId: valueAt(body, 'emdrId'),
    date: valueAt(body, 'registrationDateTime'),
    errors:
      body.name === 'Fault'
        ? [
            {
              code: valueAt(body, 'Detail//code') ?? 'Fault',
              message: valueAt(body, 'Reason/Text') ?? 'Отказ без слов',
            },
          ]
        : all(body, 'errors/item').map((item) => ({
            code: (valueAt(item, 'code') ?? '').slice(0, 64),
            message: (valueAt(item, 'message') ?? 'Отказ без слов').slice(0, 800),
          })),
  }
}
