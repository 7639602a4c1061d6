import { z } from 'zod'
import { messages } from '../../messages.ts'

const MAX_NETWORKS = 200
const FORM = /^([\d.]+|[\da-fA-F:.]*:[\da-fA-F:.]*)(?:\/(\d{1,3}))?$/

/** Parses an address or a network, `10.0.0.0/8`; undefined if invalid. */
export function readNetwork(text: string): { address: string; family: 'ipv4' | 'ipv6'; bits: number } | undefined {
  const [, address, mask] = FORM.exec(text) ?? []
  if (address === undefined) return undefined
  const isV4 = !address.includes(':')
  if (isV4 ? !z.ipv4().safeParse(address).success : !z.ipv6().safeParse(address).success) return undefined
  const longest = isV4 ? 32 : 128
  const bits = mask === undefined ? longest : Number(mask)
  return bits > longest ? undefined : { address, family: isV4 ? 'ipv4' : 'ipv6', bits }
}

/** A list of distinct addresses and networks. */
export const networks = () =>
  z
    .array(
      z
        .string(messages.string)
        .trim()
        .max(64, messages.maxLength(64))
        .refine(
          (text) => text === '' || readNetwork(text) !== undefined,
          'Нужен адрес или сеть: 203.0.113.7, 10.0.0.0/8',
        ),
      messages.list,
    )
    .transform((all) => [...new Set(all.filter(Boolean))])
    .refine((all) => all.length <= MAX_NETWORKS, `Не больше ${MAX_NETWORKS} строк`)
