import { Menu } from '@mantine/core'
import type { Report } from '@ordinator/model/report'
import { IconBookmark, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useGo } from '#base/address.ts'
import { usePreference } from '#base/preferences.ts'
import type { Search } from '#base/redirect.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { MenuItem } from '#kit/ActionMenu.tsx'
import { WordsDialog } from '#kit/WordsDialog.tsx'
import type { ReportAddress } from './address.ts'

const MAX_SETS = 30
const MAX_NAME = 80

interface SavedSet {
  name: string
  search: Record<string, unknown>
}

function read(stored: unknown): { sets: SavedSet[] } {
  const { sets } = (stored ?? {}) as { sets?: unknown }
  const fits = (one: Partial<SavedSet> | null): one is SavedSet =>
    typeof one?.name === 'string' && typeof one.search === 'object' && one.search !== null
  return { sets: Array.isArray(sets) ? sets.filter(fits).slice(0, MAX_SETS) : [] }
}

/** Parameters to store, without the open rows. */
const kept = ({ behind: _, ...rest }: ReportAddress): Record<string, unknown> =>
  Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))

interface Props {
  report: Report
  address: ReportAddress
  /** Other URL parameters, as the catalogue's tab. */
  besides: Search
}

/** Named parameter sets of a report, stored with the account. */
export function SavedSets({ report, address, besides }: Props) {
  const [{ sets }, keep] = usePreference(`report:${report.key}`, read, 'account')
  const [isNaming, setNaming] = useState(false)
  const go = useGo()
  return (
    <>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <ActionButton label="Наборы" variant="default" icon={IconBookmark} />
        </Menu.Target>
        <Menu.Dropdown>
          {sets.map(({ name, search }) => (
            <MenuItem key={name} label={name} onClick={() => void go({ search: { ...besides, ...search } })} />
          ))}
          {sets.length > 0 && <Menu.Divider />}
          <MenuItem
            label="Сохранить этот отбор"
            icon={IconBookmark}
            disabled={sets.length >= MAX_SETS}
            onClick={() => setNaming(true)}
          />
          {sets.map(({ name }) => (
            <MenuItem
              key={name}
              danger
              icon={IconTrash}
              label={`Удалить «${name}»`}
              onClick={() => keep({ sets: sets.filter((one) => one.name !== name) })}
            />
          ))}
        </Menu.Dropdown>
      </Menu>
      {isNaming && (
        <WordsDialog
          title="Сохранить набор"
          label="Название"
          required
          max={MAX_NAME}
          action="Сохранить"
          onClose={() => setNaming(false)}
          run={async (typed) => {
            const name = typed.trim().slice(0, MAX_NAME)
            keep({ sets: [...sets.filter((one) => one.name !== name), { name, search: kept(address) }] })
          }}
        />
      )}
    </>
  )
}
