import { type SetAddressOptions, useAddress } from '#base/address.ts'
import { id, word } from '#base/addressValues.ts'
import type { Search } from '#base/redirect.ts'
import { type RegulationFilters, regulationFilters } from './regulationFilters.ts'

export const regulationLists = { all: 'Все', mine: 'Мои' } as const
export type RegulationList = keyof typeof regulationLists

/** Modes of the dialog: `create` has no id; `view` is the default. */
const modes = { create: true, edit: true, view: true } as const

/** URL parameters of the regulations. */
export interface RegulationsAddress extends RegulationFilters {
  list?: RegulationList
  /** Id of the open regulation. */
  id?: number
  mode?: keyof typeof modes
  /** Id of the run shown above it. */
  run?: number
  /** Page of the list. */
  page?: number
}

export type SetRegulationsAddress = (patch: Partial<RegulationsAddress>, options?: SetAddressOptions) => void

export const useRegulationsAddress = (): [RegulationsAddress, SetRegulationsAddress] => useAddress(readAddress)

function readAddress(search: Search): RegulationsAddress {
  return {
    list: word(regulationLists, search.list),
    ...regulationFilters.read(search),
    id: id(search.id),
    mode: word(modes, search.mode),
    run: id(search.run),
  }
}

/** Internal URL of a regulation. */
export const regulationHref = (idRegulation: number): string => `/regulations?id=${idRegulation}`
