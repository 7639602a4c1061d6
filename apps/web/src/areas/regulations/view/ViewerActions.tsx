import { ActionIcon, Button, Menu } from '@mantine/core'
import { Regulation } from '@ordinator/model/areas/regulations/regulation'
import { isDraft, regulationStatuses } from '@ordinator/model/areas/regulations/status'
import type { RegulationTransition, RegulationView } from '@ordinator/model/areas/regulations/wire'
import {
  IconArrowBackUp,
  IconCalendarCheck,
  IconCalendarEvent,
  IconClockEdit,
  IconCopyPlus,
  IconDots,
  IconLink,
  IconPencil,
  IconPlayerPlay,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { formatDate } from '../../../kit/clock.ts'
import { notify } from '../../../kit/notify.tsx'
import { WordsDialog } from '../../../kit/WordsDialog.tsx'
import { useCan } from '../../../records/Can.tsx'
import { regulationHref, type SetRegulationsAddress } from '../address.ts'
import { useRegulationVerbs } from '../calls.ts'
import { today } from '../day.ts'
import { PaperItems } from '../docx/PaperItems.tsx'
import { RunAction } from '../runs/RunAction.tsx'
import { toastDone, toastFailed } from '../toasts.ts'
import { useRemoveRegulations } from '../useRemoveRegulations.ts'
import { DayDialog } from './DayDialog.tsx'
import { TermsDialog } from './TermsDialog.tsx'

interface Props {
  view: RegulationView
  setAddress: SetRegulationsAddress
  onClose: () => void
}

/** What may be done with the open regulation now: the next step of its way as a button, the rest in the menu. */
export function ViewerActions({ view, setAddress, onClose }: Props) {
  const { transition, newVersion, reviewed } = useRegulationVerbs(view.id)
  const [planning, setPlanning] = useState(false)
  const [timing, setTiming] = useState(false)
  const [returning, setReturning] = useState<RegulationTransition>()
  const mayWrite = useCan('update', Regulation, view)
  const mayDelete = useCan('delete', Regulation, view)
  const remove = useRemoveRegulations()
  const forward = view.transitions.filter(({ needsReason, to }) => !needsReason && to !== 'archived')
  const others = view.transitions.filter((one) => !forward.includes(one))
  const activation = forward.find(({ to }) => to === 'active')
  /** It comes into force by itself on its day. */
  const planned = activation !== undefined && view.dateEffective !== null && view.dateEffective > today()
  const next = planned ? undefined : forward[0]

  const go = (to: RegulationTransition, more: { reason?: string; dateEffective?: string | null } = {}) =>
    transition.mutateAsync({ to: to.to, ...more }).then(
      (now) => {
        const waits = now.status !== to.to && now.dateEffective
        toastDone(
          waits ? `Вступит в силу ${formatDate(now.dateEffective)}` : `Статус: ${regulationStatuses[now.status]}`,
        )
        return true
      },
      (error: unknown) => {
        toastFailed('Ошибка при сохранении', error)
        return false
      },
    )
  const start = (to: RegulationTransition) => (to.needsReason ? setReturning(to) : void go(to))
  const makeVersion = () =>
    newVersion.mutateAsync().then(
      ({ id }) => setAddress({ id, mode: 'edit' }),
      (error: unknown) => toastFailed('Ошибка при сохранении', error),
    )
  const keep = () =>
    reviewed.mutateAsync().then(
      ({ dateReview }) => toastDone(`Следующий пересмотр — ${formatDate(dateReview)}`),
      (error: unknown) => toastFailed('Ошибка при сохранении', error),
    )
  const drop = async () => {
    if (await remove([view])) onClose()
  }
  return (
    <>
      <RunAction view={view} />
      {view.canEdit && (
        <Button
          size="compact-md"
          variant="default"
          leftSection={<IconPencil size={16} />}
          onClick={() => setAddress({ mode: 'edit' })}
        >
          Изменить
        </Button>
      )}
      {next && (
        <Button size="compact-md" loading={transition.isPending} onClick={() => start(next)}>
          {next.label}
        </Button>
      )}
      {view.newVersion && (
        <Button
          size="compact-md"
          variant="default"
          leftSection={<IconCopyPlus size={16} />}
          loading={newVersion.isPending}
          onClick={() => void makeVersion()}
        >
          Новая версия
        </Button>
      )}
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label="Действия с регламентом">
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {activation && (
            <Menu.Item leftSection={<IconCalendarEvent size={16} />} onClick={() => setPlanning(true)}>
              Назначить день вступления
            </Menu.Item>
          )}
          {activation && planned && (
            <Menu.Item
              leftSection={<IconPlayerPlay size={16} />}
              onClick={() => void go(activation, { dateEffective: null })}
            >
              Ввести в действие сейчас
            </Menu.Item>
          )}
          {others.map((one) => (
            <Menu.Item key={one.to} leftSection={<IconArrowBackUp size={16} />} onClick={() => start(one)}>
              {one.label}
            </Menu.Item>
          ))}
          {mayWrite && view.status === 'active' && view.reviewMonths > 0 && (
            <Menu.Item leftSection={<IconCalendarCheck size={16} />} onClick={() => void keep()}>
              Пересмотрен без изменений
            </Menu.Item>
          )}
          {mayWrite && !isDraft(view.status) && view.status !== 'archived' && (
            <Menu.Item leftSection={<IconClockEdit size={16} />} onClick={() => setTiming(true)}>
              Изменить сроки
            </Menu.Item>
          )}
          <PaperItems view={view} />
          <Menu.Item leftSection={<IconLink size={16} />} onClick={() => void copyLink(view.id)}>
            Скопировать ссылку
          </Menu.Item>
          {mayDelete && (
            <Menu.Item
              color="var(--mantine-color-error)"
              leftSection={<IconTrash size={16} />}
              onClick={() => void drop()}
            >
              Удалить
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {activation && planning && (
        <DayDialog
          day={view.dateEffective}
          onConfirm={(dateEffective) => go(activation, { dateEffective })}
          onClose={() => setPlanning(false)}
        />
      )}
      {timing && <TermsDialog view={view} onClose={() => setTiming(false)} />}
      {returning && (
        <WordsDialog
          title={returning.label}
          label="Причина"
          required
          action={returning.label}
          run={(reason) => go(returning, { reason })}
          onClose={() => setReturning(undefined)}
        />
      )}
    </>
  )
}

async function copyLink(id: number): Promise<void> {
  const link = `${location.origin}/app${regulationHref(id)}`
  try {
    // Absent on a clinic's network without https.
    await navigator.clipboard.writeText(link)
    notify.success('Ссылка скопирована')
  } catch {
    notify.info(link, { title: 'Ссылка на регламент', timeout: 10_000 })
  }
}
