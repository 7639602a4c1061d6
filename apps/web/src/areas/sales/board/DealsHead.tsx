import { ActionIcon, Button, Menu } from '@mantine/core'
import type { Funnel } from '@ordinator/model/areas/sales/funnel'
import { WORK } from '@ordinator/model/areas/sales/funnel'
import type { Row } from '@ordinator/model/entity'
import { counted, formatMoney } from '@ordinator/model/format'
import {
  IconChartBar,
  IconChevronDown,
  IconDots,
  IconFileUpload,
  IconFilter,
  IconLayoutKanban,
  IconLayoutList,
  IconPlus,
  IconSettings,
  IconTable,
} from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useCommands } from '../../../base/commands.ts'
import { useHotkey } from '../../../kit/hotkeys.ts'
import { MenuChoice } from '../../../kit/MenuChoice.tsx'
import { ViewSwitch } from '../../../kit/ViewSwitch.tsx'
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

/** The funnel that is open, what it holds, and how it is shown. */
export function DealsHead({ funnel, funnels, stages, totals, address, setAddress, mayEdit }: Props) {
  const navigate = useRouter().navigate as unknown as (to: { to: string; search?: object }) => void
  const [adding, setAdding] = useState(false)
  const [importing, setImporting] = useState(false)
  const maySetUp = useMaySetUp()
  const mayAdd = mayEdit && stages.some((stage) => stage.idType === WORK)
  useHotkey('n', () => setAdding(true), { enabled: mayAdd && !adding, label: 'Новая сделка', group: 'Доска' })
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
      <div className={classes.text}>
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
            <Menu.Item leftSection={<IconFilter size={16} />} onClick={() => navigate({ to: '/funnels', search: {} })}>
              Все воронки
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
        <p className={classes.sum} aria-live="polite">
          {totals ? `${counted(totals.count, dealForms)} на ${formatMoney(totals.sum)}` : ' '}
        </p>
      </div>
      <div className={classes.actions}>
        <ViewSwitch<DealView>
          views={views}
          view={address.view ?? 'board'}
          onChange={(view) => setAddress({ view: view === 'board' ? undefined : view })}
        />
        {mayAdd && (
          <Button leftSection={<IconPlus size={18} />} onClick={() => setAdding(true)} className={classes.add}>
            Новая сделка
          </Button>
        )}
        <Menu position="bottom-end" width={240}>
          <Menu.Target>
            <ActionIcon variant="default" size={36} aria-label="Действия с воронкой">
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {mayAdd && (
              <Menu.Item className={classes.phone} leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
                Новая сделка
              </Menu.Item>
            )}
            <Menu.Item
              leftSection={<IconChartBar size={16} />}
              onClick={() => navigate({ to: '/deals/analytics', search: { funnel: funnel.id } })}
            >
              Аналитика воронки
            </Menu.Item>
            <Menu.Item
              leftSection={<IconSettings size={16} />}
              onClick={() => navigate({ to: `/funnels/${funnel.id}`, search: {} })}
            >
              {maySetUp ? 'Настроить воронку' : 'Устройство воронки'}
            </Menu.Item>
            {mayAdd && (
              <>
                <Menu.Divider />
                <Menu.Item leftSection={<IconFileUpload size={16} />} onClick={() => setImporting(true)}>
                  Импорт…
                </Menu.Item>
              </>
            )}
          </Menu.Dropdown>
        </Menu>
      </div>
      {importing && <ImportDeals funnel={funnel} onClose={() => setImporting(false)} />}
      {adding && (
        <NewDeal
          stages={stages}
          onCreated={(id) => {
            setAdding(false)
            setAddress({ lead: id })
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </header>
  )
}

const dealForms = ['сделка', 'сделки', 'сделок'] as const
