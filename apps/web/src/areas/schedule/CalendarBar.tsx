import { Menu, SegmentedControl, TextInput } from '@mantine/core'
import type { Filial } from '@ordinator/model/areas/filials/filial'
import type { Row } from '@ordinator/model/entity'
import { plusDays } from '@ordinator/model/zone'
import {
  IconBeach,
  IconCalendarMonth,
  IconCalendarUser,
  IconLayoutColumns,
  IconPrinter,
  IconSearch,
  IconSettings,
  IconStack2,
  IconUsers,
} from '@tabler/icons-react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { MenuChoice } from '#kit/MenuChoice.tsx'
import { ViewSwitch } from '#kit/ViewSwitch.tsx'
import { type CalendarAddress, type CalendarView, calendarViews, type SetCalendarAddress } from './address.ts'
import classes from './Calendar.module.css'
import { dayWords, mondayOf, monthWords, shortDay } from './day.ts'
import { PlaceBar } from './PlaceBar.tsx'
import { layers, useLayerNames, useLayers } from './useLayers.ts'
import { steps, useStep } from './useStep.ts'

interface Props {
  address: CalendarAddress
  setAddress: SetCalendarAddress
  filials: readonly Pick<Row<typeof Filial>, 'id' | 'nameFilial'>[]
  idFilial: number | undefined
  day: string
  today: string
  view: CalendarView
  /** Part of a patient's name or phone. */
  sought: string
  onSought: (text: string) => void
  onAbsence?: (() => void) | undefined
}

const views = {
  day: { label: calendarViews.day, icon: IconLayoutColumns },
  week: { label: calendarViews.week, icon: IconCalendarUser },
  month: { label: calendarViews.month, icon: IconCalendarMonth },
  shifts: { label: calendarViews.shifts, icon: IconUsers },
} as const

const GROUP = 'Расписание'

/** Branch, day and view; layout of the grid. */
export function CalendarBar({
  address,
  setAddress,
  filials,
  idFilial,
  day,
  today,
  view,
  sought,
  onSought,
  onAbsence,
}: Props) {
  const [{ step, whole }, setStep] = useStep()
  const [shown, toggle, showAll] = useLayers()
  const names = useLayerNames()
  return (
    <div className={classes.bar}>
      <PlaceBar
        filials={filials}
        idFilial={idFilial}
        onFilial={(filial) => setAddress({ filial, doctors: undefined })}
        day={day}
        today={today}
        onDay={(next) => setAddress({ day: next })}
        turned={(way) => turned(day, view, way)}
        group={GROUP}
      />
      <span className={classes.spring} />
      {(view === 'day' || view === 'week') && (
        <TextInput
          aria-label="Найти пациента в этом дне"
          placeholder="Пациент в этом дне"
          w={190}
          visibleFrom="sm"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={sought}
          onChange={({ currentTarget: { value } }) => onSought(value)}
          onKeyDown={({ key }) => key === 'Escape' && onSought('')}
        />
      )}
      {(view === 'day' || view === 'week') && names.some((layer) => !shown[layer]) && (
        <ActionButton label="Показать все слои" icon={IconStack2} variant="light" onClick={showAll} />
      )}
      {view === 'day' && (
        <SegmentedControl
          aria-label="Столбцы"
          visibleFrom="sm"
          data={[
            { value: 'doctors', label: 'Врачи' },
            { value: 'rooms', label: 'Кабинеты' },
          ]}
          value={address.by ?? 'doctors'}
          onChange={(by) => setAddress({ by: by === 'rooms' ? 'rooms' : undefined })}
        />
      )}
      <ViewSwitch
        views={views}
        view={view}
        onChange={(next) => setAddress({ view: next === 'day' ? undefined : next })}
      />
      {(view === 'day' || view === 'week') && (
        <ActionMenu label="Вид сетки" icon={IconSettings} variant="default" width={240}>
          <Menu.Label>Шаг сетки</Menu.Label>
          {steps.map((one) => (
            <MenuChoice
              key={one}
              on={one === step && !whole}
              label={`${one} минут`}
              onClick={() => setStep({ step: one, whole: false })}
            />
          ))}
          <MenuChoice on={whole} label="Весь день на экране" onClick={() => setStep({ step, whole: !whole })} />
          <Menu.Divider />
          <Menu.Label>Столбцы</Menu.Label>
          {(['doctors', 'rooms'] as const).map((by) => (
            <MenuChoice
              key={by}
              on={(address.by ?? 'doctors') === by}
              label={by === 'doctors' ? 'По врачам' : 'По кабинетам'}
              onClick={() => setAddress({ by: by === 'rooms' ? 'rooms' : undefined })}
            />
          ))}
          <Menu.Divider />
          <Menu.Label>Слои</Menu.Label>
          {names.map((layer) => (
            <MenuChoice key={layer} on={shown[layer]} label={layers[layer]} onClick={() => toggle(layer)} />
          ))}
          <Menu.Divider />
          <MenuChoice
            on={address.cancelled === true}
            label="Отменённые и неявки"
            onClick={() => setAddress({ cancelled: address.cancelled ? undefined : true })}
          />
          <Menu.Divider />
          {onAbsence && <MenuItem label="Врача не будет…" icon={IconBeach} onClick={onAbsence} />}
          <MenuItem label="Печать дня" icon={IconPrinter} onClick={() => window.print()} />
        </ActionMenu>
      )}
    </div>
  )
}

const turned = (day: string, view: CalendarView, way: 1 | -1): string => {
  if (view === 'month') {
    const date = new Date(`${day.slice(0, 7)}-01`)
    date.setUTCMonth(date.getUTCMonth() + way)
    return date.toISOString().slice(0, 10)
  }
  return plusDays(day, view === 'day' ? way : 7 * way)
}

/** Title of the shown period, for the page's header. */
export const titleOf = (day: string, view: CalendarView): string => {
  if (view === 'month') return monthWords(day)
  if (view === 'day') return dayWords(day)
  const monday = mondayOf(day)
  return `${shortDay(monday)} — ${shortDay(plusDays(monday, 6))}`
}
