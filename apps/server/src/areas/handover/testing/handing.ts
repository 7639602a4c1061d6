/** For tests: a handover from its beginning to its files, unpacked; and its tables moved into another clinic. */
import type { FilialHandover, HandoverWho } from '@ordinator/model/areas/handover/handover'
import type { MoveTableKey } from '@ordinator/model/areas/moving/tables'
import type { Row } from '@ordinator/model/entity'
import { checkedZip } from '#platform/zip.ts'
import { good } from '#testing/good.ts'
import type { Caller, Clinic } from '#testing/harness.ts'

export type Made = Row<typeof FilialHandover>

export interface Handed {
  made: Made
  /** Files of the main archive by name. */
  main: Map<string, string>
  /** Tables of the moving-in by key, in their order: CSV, or archives of files. */
  tables: [MoveTableKey, string | Buffer][]
  /** All text of all archives. */
  text: string
}

const LIMITS = { maxBytes: 500_000_000, maxEntries: 10_000 }
const keys: Readonly<Record<string, MoveTableKey>> = {
  '01': 'users',
  '02': 'services',
  '03': 'performers',
  '04': 'customers',
  '05': 'relations',
  '06': 'policies',
  '07': 'balances',
  '08': 'certificates',
  '09': 'visits',
  '10': 'appointments',
  '11': 'plans',
}

export function handing(clinic: Clinic, who: Caller) {
  const begin = async (idFilial: number, whose: HandoverWho = 'all'): Promise<Made> =>
    good(await who.post(`/filials/${idFilial}/handovers`, { who: whose }), 201)
  const row = async (id: number): Promise<Made> => good(await who.get(`/filials/handovers/${id}`))

  async function end({ id }: Pick<Made, 'id'>): Promise<Handed> {
    await clinic.context.jobs.drain()
    return read(await row(id))
  }

  async function read(made: Made): Promise<Handed> {
    if (made.state !== 'done') throw new Error(`${made.state}: ${made.message}`)
    const zips: { name: string; bytes: Buffer; files: Map<string, Buffer> }[] = []
    for (const [at, { name, size }] of (made.files ?? []).entries()) {
      const answer = await who.get(`/filials/handovers/${made.id}/files/${at + 1}`)
      if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
      if (answer.bytes.length !== size) throw new Error(`${name}: ${answer.bytes.length} bytes instead of ${size}`)
      zips.push({ name, bytes: answer.bytes, files: new Map(checkedZip(answer.bytes, LIMITS)) })
    }
    const main = new Map([...(zips[0]?.files ?? [])].map(([name, bytes]) => [name, bytes.toString('utf8')]))
    return {
      made,
      main,
      tables: [
        ...[...main].flatMap(([name, text]): [MoveTableKey, string][] => {
          const key = name.startsWith('переезд/') ? keys[name.slice(8, 10)] : undefined
          return key ? [[key, text]] : []
        }),
        ...zips
          .filter(({ name }) => name.startsWith('Переезд 12'))
          .map(({ bytes }): [MoveTableKey, Buffer] => ['files', bytes]),
      ],
      text: zips
        .flatMap(({ files }) => [...files].map(([name, bytes]) => `${name}\n${bytes.toString('utf8')}`))
        .join('\n'),
    }
  }

  return {
    begin,
    row,
    end,
    read,
    take: async (idFilial: number, whose?: HandoverWho) => end(await begin(idFilial, whose)),
  }
}

/** The tables without the codes of a clinic, which differ from one to another. */
export const codeless = (tables: Handed['tables']): [MoveTableKey, string][] =>
  tables.map(([key, content]) => [
    key,
    typeof content === 'string'
      ? withoutCodes(content)
      : [...checkedZip(content, LIMITS)]
          .map(([name, bytes]) => withoutCodes(`${name}\n${bytes.toString('utf8')}`))
          .join('\n'),
  ])

const withoutCodes = (text: string): string =>
  text.replace(/[0-9a-f]{8}-п?\d+/g, '#').replace(/файлы\/\d+ /g, 'файлы/# ')
