import { AdapterFault } from '#platform/adapter.ts'

/** МДЛП has processed the request and refused it. */
export class MdlpRefusal extends Error {
  override name = 'MdlpRefusal'
  readonly code: string
  constructor(message: string, status: number) {
    super(message)
    this.code = String(status)
  }
}

/** No token, and only a person can get one. */
export class SignInNeeded extends AdapterFault {
  override name = 'SignInNeeded'
  constructor() {
    super('Нужен вход в МДЛП: подпишите его на странице «МДЛП»')
  }
}

export interface Listed {
  documentId: string
  schema: string
  sender: string
  isProcessed: boolean
}

export interface Mdlp {
  /** @param signature base64, detached @returns the id of the document at МДЛП */
  send(xml: string, signature: string, requestId: string): Promise<string>
  /** The id at МДЛП by our request id; undefined if nothing arrived. */
  byRequest(requestId: string): Promise<string | undefined>
  /** `processing` until the document is processed. */
  stateOf(documentId: string): Promise<'processing' | 'done'>
  ticket(documentId: string): Promise<string>
  /** Incoming or outgoing documents of one schema. @param since ISO */
  list(which: 'income' | 'outcome', schema: number, since: string): Promise<Listed[]>
  download(documentId: string): Promise<string>
  /** Packs in a box, including nested boxes. */
  packsOf(sscc: string): Promise<string[]>
  /** States of the packs that МДЛП knows. */
  states(sgtins: readonly string[]): Promise<Map<string, string>>
  /** A code to be signed. */
  code(): Promise<string>
  /** Signs in by a signature of the code, base64. @returns ISO */
  signIn(code: string, signature: string): Promise<string>
  check(): Promise<void>
}
