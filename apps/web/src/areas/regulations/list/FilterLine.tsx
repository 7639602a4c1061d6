import { Button } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import { FilterFields } from '../../../records/filters/FilterBar.tsx'
import type { RegulationsAddress, SetRegulationsAddress } from '../address.ts'
import { type RegulationFilters, regulationFilters } from '../regulationFilters.ts'
import classes from './FilterLine.module.css'

interface Props {
  address: RegulationsAddress
  setAddress: SetRegulationsAddress
}

/** What narrows the list. */
export function FilterLine({ address, setAddress }: Props) {
  const set = (patch: RegulationFilters, options?: { replace?: boolean }) =>
    setAddress({ ...patch, page: undefined }, options)
  return (
    <search className={classes.line}>
      <FilterFields filters={regulationFilters} values={address} onChange={set} />
      {regulationFilters.count(address) > 0 && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconFilterOff size={18} />}
          onClick={() => set(regulationFilters.none)}
        >
          Очистить фильтры
        </Button>
      )}
    </search>
  )
}
