import { describe, expect, test } from 'vitest'
import { dbfOf, isDbf, readDbf } from './dbf.ts'

/** A table of one record per row of bytes, as dBASE and FoxPro write it. */
function table(
  fields: readonly [name: string, type: string, width: number][],
  records: readonly Buffer[],
  { version = 0x03, driver = 0x65 } = {},
): Buffer {
  const head = Buffer.alloc(32 + fields.length * 32 + 1)
  const size = 1 + fields.reduce((all, [, , width]) => all + width, 0)
  head[0] = version
  head.writeUInt32LE(records.length, 4)
  head.writeUInt16LE(head.length, 8)
  head.writeUInt16LE(size, 10)
  head[29] = driver
  for (const [at, [name, type, width]] of fields.entries()) {
    head.write(name, 32 + at * 32, 'latin1')
    head.write(type, 32 + at * 32 + 11, 'latin1')
    head.writeUInt16LE(width, 32 + at * 32 + 16)
  }
  head[head.length - 1] = 0x0d
  return Buffer.concat([head, ...records, Buffer.of(0x1a)])
}

const ascii = (text: string) => Buffer.from(text, 'latin1')
/** «Иванов» and «Пётр» in the code pages of DOS and Windows. */
const DOS = { ivanov: Buffer.from('88a2a0adaea2', 'hex'), petr: Buffer.from('8ff1e2e0', 'hex') }
const WINDOWS = { ivanov: Buffer.from('c8e2e0edeee2', 'hex'), petr: Buffer.from('cfb8f2f0', 'hex') }

describe('a DBF', () => {
  test('is read by its types, without deleted records and memos', () => {
    const file = table(
      [
        ['FAM', 'C', 10],
        ['DR', 'D', 8],
        ['SUM_V', 'N', 9],
        ['IS_VIP', 'L', 1],
        ['NOTE', 'M', 10],
      ],
      [
        Buffer.concat([ascii(' '), DOS.ivanov, ascii('    19800203  1200.50T         1')]),
        Buffer.concat([ascii('*'), DOS.ivanov, ascii('    19800203  1200.50T          ')]),
        Buffer.concat([ascii(' '), DOS.petr, ascii(`${' '.repeat(14)}*********?${' '.repeat(10)}`)]),
      ],
      { version: 0x83 },
    )
    expect(isDbf(file)).toBe(true)
    expect(readDbf(file, 100)).toEqual({
      encoding: 'ibm866',
      lines: [
        ['FAM', 'DR', 'SUM_V', 'IS_VIP', 'NOTE'],
        ['Иванов', '03.02.1980', '1200.50', 'Да', ''],
        // A number that did not fit stays as it is written, and is refused by what reads the column.
        ['Пётр', '', '*********', '', ''],
      ],
    })
  })

  test.each([
    ['the head says', 0xc9, undefined],
    ['the text looks like, where the head says none', 0, undefined],
    ['a person chose, whatever the head says', 0x65, 'windows-1251' as const],
  ])('has the encoding that %s', (_what, driver, chosen) => {
    const pad = (bytes: Buffer) => Buffer.concat([ascii(' '), bytes, ascii(' '.repeat(10 - bytes.length))])
    const file = table([['FAM', 'C', 10]], [pad(WINDOWS.ivanov), pad(WINDOWS.petr)], { driver })
    expect(readDbf(file, 100, chosen)).toEqual({
      encoding: 'windows-1251',
      lines: [['FAM'], ['Иванов'], ['Пётр']],
    })
  })

  test('of FoxPro has numbers, moments and money in binary', () => {
    const record = Buffer.alloc(1 + 4 + 8 + 8, 0x20)
    record.writeInt32LE(-7, 1)
    // 30 November 2026 is the Julian day 2461375; 9:30.
    record.writeInt32LE(2_461_375, 5)
    record.writeInt32LE(34_200_000, 9)
    record.writeBigInt64LE(12_345_000n, 13)
    const fields: [string, string, number][] = [
      ['N', 'I', 4],
      ['AT', 'T', 8],
      ['PRICE', 'Y', 8],
    ]
    expect(readDbf(table(fields, [record], { version: 0x30 }), 100).lines[1]).toEqual([
      '-7',
      '2026-11-30 09:30',
      '1234.50',
    ])
  })

  test('reads what the server writes, in whole records when it was cut short', () => {
    const rows = [
      ['770-1', 'Щербакова Ёлка'],
      ['770-2', 'Ким'],
    ]
    const file = dbfOf(
      ['policy', 'fio'].map((name) => ({ name, label: name })),
      rows,
      '2026-11-30',
    )
    expect(readDbf(file, 100).lines).toEqual([['POLICY', 'FIO'], ...rows])
    expect(readDbf(file.subarray(0, file.length - 5), 100).lines).toEqual([['POLICY', 'FIO'], rows[0]])
    expect(readDbf(file, 2).lines).toHaveLength(2)
  })

  test.each([
    ['a text that begins with a digit', Buffer.from('0;Иванов;1980\n'.repeat(20))],
    ['widths that do not add up to the record', table([['FAM', 'C', 10]], []).fill(99, 10, 11)],
    ['a head without an end', Buffer.alloc(70, 0x03)],
  ])('is not %s', (_what, file) => expect(isDbf(file)).toBe(false))
})
