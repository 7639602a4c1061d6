import { Button, MultiSelect } from '@mantine/core'
import { type Classification, classifications } from '@ordinator/model/areas/regulations/regulation'
import { type RegulationStatus, regulationStatuses } from '@ordinator/model/areas/regulations/status'
import { IconFilterOff } from '@tabler/icons-react'
import { FilterSearch } from '../../../kit/FilterBar.tsx'
import type { RegulationsAddress, SetRegulationsAddress } from '../address.ts'
import classes from './FilterLine.module.css'

interface Props {
  address: RegulationsAddress
  setAddress: SetRegulationsAddress
}

/** What narrows the list: name, statuses, classifications. */
export function FilterLine({ address: { search, status, classification }, setAddress }: Props) {
  const set = (patch: Partial<RegulationsAddress>, replace = false) =>
    setAddress({ ...patch, page: undefined }, { replace })
  return (
    <search className={classes.line}>
      <FilterSearch
        value={search}
        onChange={(text) => set({ search: text }, true)}
        label="Поиск по названию"
        placeholder="Поиск по названию"
        hotkey={{ label: 'Поиск регламента', group: 'Регламенты' }}
      />
      <MultiSelect
        className={classes.choice}
        aria-label="Статус"
        placeholder={status ? undefined : 'Статус'}
        data={Object.entries(regulationStatuses).map(([value, label]) => ({ value, label }))}
        value={status ?? []}
        onChange={(values) => set({ status: values.length ? (values as RegulationStatus[]) : undefined })}
        clearable
      />
      <MultiSelect
        className={classes.choice}
        aria-label="Классификация"
        placeholder={classification ? undefined : 'Классификация'}
        data={Object.keys(classifications)}
        value={classification ?? []}
        onChange={(values) => set({ classification: values.length ? (values as Classification[]) : undefined })}
        clearable
      />
      {(search || status || classification) && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconFilterOff size={18} />}
          onClick={() => set({ search: undefined, status: undefined, classification: undefined })}
        >
          Очистить фильтры
        </Button>
      )}
    </search>
  )
}
