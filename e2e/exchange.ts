/** The telephone exchange of the browser tests: events sent here reach the server by AMI. */
import { connect } from 'node:net'
import { AMI_PORT } from './ports.ts'

/** Sends events of the exchange, in order. */
export async function exchange(...events: readonly (readonly [event: string, fields: Record<string, string>])[]) {
  const line = connect(AMI_PORT, '127.0.0.1').setEncoding('utf8')
  let output = ''
  let answered: () => void = () => undefined
  line.on('data', (text) => {
    output += text
    answered()
  })
  const act = async (fields: Record<string, string>) => {
    const had = output.split('Response: Success').length
    line.write(
      `${Object.entries(fields)
        .map(([key, value]) => `${key}: ${value}`)
        .join('\r\n')}\r\n\r\n`,
    )
    while (output.split('Response: Success').length === had)
      await new Promise<void>((resolve) => {
        answered = resolve
      })
  }
  await act({ Action: 'Login', Username: 'ordinator', Secret: 'secret' })
  for (const [As, fields] of events) await act({ Action: 'Simulate', As, ...fields })
  line.destroy()
}

/** An incoming external call to extensions. */
export class OutsideCall {
  readonly session = `e${Date.now()}.${Math.floor(Math.random() * 1e6)}`
  readonly #sips: readonly string[]
  readonly #phone: string

  constructor(phone: string, ...sips: string[]) {
    this.#phone = phone
    this.#sips = sips
  }

  #leg = (sip: string) => ({
    Uniqueid: `${this.session}-${sip}`,
    Linkedid: this.session,
    Channel: `PJSIP/${sip}-0000000a`,
  })

  rings = () =>
    exchange(
      [
        'Newchannel',
        {
          Uniqueid: this.session,
          Linkedid: this.session,
          Channel: `PJSIP/trunk-${this.session}`,
          CallerIDNum: this.#phone,
          Exten: '84950000000',
        },
      ],
      ...this.#sips.map((sip) => ['Newchannel', this.#leg(sip)] as const),
    )

  answered = (by: string) =>
    exchange(
      ...[{ Uniqueid: this.session }, this.#leg(by)].map(
        (channel) =>
          ['BridgeEnter', { ...channel, Linkedid: this.session, BridgeUniqueid: `b-${this.session}` }] as const,
      ),
      ...this.#sips.filter((sip) => sip !== by).map((sip) => ['Hangup', this.#leg(sip)] as const),
    )

  hangsUp = () =>
    exchange(...[...this.#sips.map(this.#leg), { Uniqueid: this.session }].map((leg) => ['Hangup', leg] as const))
}
