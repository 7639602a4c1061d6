import { IconFilterOff } from '@tabler/icons-react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { FilterFields } from '#records/filters/FilterBar.tsx'
import type { RegulationsAddress, SetRegulationsAddress } from '../address.ts'
import { type RegulationFilters, regulationFilters } from '../regulationFilters.ts'
import classes from './FilterLine.module.css'

interface Props {
  address: RegulationsAddress
  setAddress: SetRegulationsAddress
}

/** Filters of the list. */
export function FilterLine({ address, setAddress }: Props) {
  const set = (patch: RegulationFilters, options?: { replace?: boolean }) =>
    setAddress({ ...patch, page: undefined }, options)
  return (
    <search className={classes.line}>
      <FilterFields filters={regulationFilters} values={address} onChange={set} />
      {regulationFilters.count(address) > 0 && (
        <ActionButton
          label="Очистить фильтры"
          variant="subtle"
          color="gray"
          icon={IconFilterOff}
          onClick={() => set(regulationFilters.none)}
        />
      )}
    </search>
  )
}
