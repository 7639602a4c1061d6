import { Box, Menu } from '@mantine/core'
import type { Funnel } from '@ordinator/model/areas/sales/funnel'
import { WORK } from '@ordinator/model/areas/sales/funnel'
import type { Row } from '@ordinator/model/entity'
import { counted, formatMoney } from '@ordinator/model/format'
import {
  IconChartBar,
  IconChevronDown,
  IconFileUpload,
  IconFilter,
  IconLayoutKanban,
  IconLayoutList,
  IconPlus,
  IconSettings,
  IconTable,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useGo } from '#base/address.ts'
import { useCommands } from '#base/commands.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { MenuChoice } from '#kit/MenuChoice.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { ViewSwitch } from '#kit/ViewSwitch.tsx'
import { Fine } from '#kit/Words.tsx'
import { type DealsAddress, type DealView, dealViews, type SetDealsAddress } from '../address.ts'
import classes from './DealsHead.module.css'
import type { StageRow } from './deals.ts'
import { ImportDeals } from './ImportDeals.tsx'
import { NewDeal } from './NewDeal.tsx'
import { type Totals, useMaySetUp } from './useFunnelData.ts'

const views = {
  board: { label: dealViews.board, icon: IconLayoutKanban },
  list: { label: dealViews.list, icon: IconLayoutList },
  table: { label: dealViews.table, icon: IconTable },
}

interface Props {
  funnel: Row<typeof Funnel>
  funnels: readonly Row<typeof Funnel>[]
  stages: readonly StageRow[]
  totals: Totals | undefined
  address: DealsAddress
  setAddress: SetDealsAddress
  mayEdit: boolean
}

/** Header: funnel, totals, and views. */
export function DealsHead({ funnel, funnels, stages, totals, address, setAddress, mayEdit }: Props) {
  const go = useGo()
  const [importing, setImporting] = useState(false)
  const maySetUp = useMaySetUp()
  const mayAdd = mayEdit && stages.some((stage) => stage.idType === WORK)
  const add = () => setAddress({ open: 'new' })
  const adding = mayAdd && address.open !== undefined
  useHotkey('n', add, { enabled: mayAdd && !adding, label: 'Новая сделка', group: 'Доска' })
  useCommands(
    mayAdd
      ? [
          {
            id: 'deals-import',
            group: 'Сделки',
            label: 'Импорт сделок…',
            words: 'загрузить файл таблица csv xlsx excel',
            run: () => setImporting(true),
          },
        ]
      : [],
  )
  return (
    <header className={classes.head}>
      <Box miw={0} flex={1}>
        <Menu position="bottom-start" width={280}>
          <Menu.Target>
            <button type="button" className={classes.funnel} aria-label={`Воронка: ${funnel.name}. Выбрать другую`}>
              <h1 className={classes.title}>{funnel.name}</h1>
              <IconChevronDown size={18} aria-hidden />
            </button>
          </Menu.Target>
          <Menu.Dropdown mah={400} style={{ overflowY: 'auto' }}>
            <Menu.Label>Воронки</Menu.Label>
            {funnels.map(({ id, name }) => (
              <MenuChoice
                key={id}
                on={id === funnel.id}
                label={name}
                onClick={() => setAddress({ funnel: id, lead: undefined, saved: undefined })}
              />
            ))}
            <Menu.Divider />
            <MenuItem label="Все воронки" icon={IconFilter} onClick={() => void go({ page: 'funnels' })} />
          </Menu.Dropdown>
        </Menu>
        <Fine component="p" aria-live="polite">
          {totals ? `${counted(totals.count, dealForms)} на ${formatMoney(totals.sum)}` : ' '}
        </Fine>
      </Box>
      <HStack gap={12} ml="auto" flex="none">
        <ViewSwitch<DealView>
          views={views}
          view={address.view ?? 'board'}
          onChange={(view) => setAddress({ view: view === 'board' ? undefined : view })}
        />
        {mayAdd && <ActionButton label="Новая сделка" icon={IconPlus} onClick={add} className={classes.add} />}
        <ActionMenu label="Действия с воронкой" variant="default" size={36} width={240}>
          {mayAdd && <MenuItem label="Новая сделка" className={classes.phone} icon={IconPlus} onClick={add} />}
          <MenuItem
            label="Аналитика воронки"
            icon={IconChartBar}
            onClick={() => void go({ page: 'funnelAnalytics', search: { funnel: funnel.id } })}
          />
          <MenuItem
            label={maySetUp ? 'Настроить воронку' : 'Устройство воронки'}
            icon={IconSettings}
            onClick={() => void go({ page: 'funnel', params: { id: funnel.id } })}
          />
          {mayAdd && (
            <>
              <Menu.Divider />
              <MenuItem label="Импорт…" icon={IconFileUpload} onClick={() => setImporting(true)} />
            </>
          )}
        </ActionMenu>
      </HStack>
      {importing && <ImportDeals funnel={funnel} onClose={() => setImporting(false)} />}
      {adding && (
        <NewDeal
          stages={stages}
          onCreated={(id) => setAddress({ open: undefined, lead: id }, { replace: true })}
          onClose={() => setAddress({ open: undefined }, { replace: true })}
        />
      )}
    </header>
  )
}

const dealForms = ['сделка', 'сделки', 'сделок'] as const
