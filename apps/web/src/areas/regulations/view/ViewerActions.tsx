import { Regulation } from '@ordinator/model/areas/regulations/regulation'
import { isDraft, regulationStatuses } from '@ordinator/model/areas/regulations/status'
import type { RegulationTransition, RegulationView } from '@ordinator/model/areas/regulations/wire'
import {
  IconArrowBackUp,
  IconCalendarCheck,
  IconCalendarEvent,
  IconClockEdit,
  IconCopyPlus,
  IconLink,
  IconPencil,
  IconPlayerPlay,
} from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { formatDate } from '#kit/clock.ts'
import { copyLink } from '#kit/copyLink.ts'
import { WordsDialog } from '#kit/WordsDialog.tsx'
import { useCan } from '#records/Can.tsx'
import { RemoveItem } from '#records/RemoveItem.tsx'
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

/** Actions on the open regulation: the next transition as a button, others in the menu. */
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
  /** It takes effect automatically on its day. */
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
        <ActionButton
          label="Изменить"
          size="compact-md"
          variant="default"
          icon={IconPencil}
          onClick={() => setAddress({ mode: 'edit' })}
        />
      )}
      {next && (
        <ActionButton label={next.label} size="compact-md" loading={transition.isPending} onClick={() => start(next)} />
      )}
      {view.newVersion && (
        <ActionButton
          label="Новая версия"
          size="compact-md"
          variant="default"
          icon={IconCopyPlus}
          loading={newVersion.isPending}
          onClick={() => void makeVersion()}
        />
      )}
      <ActionMenu label="Действия с регламентом" width={240}>
        {activation && (
          <MenuItem label="Назначить день вступления" icon={IconCalendarEvent} onClick={() => setPlanning(true)} />
        )}
        {activation && planned && (
          <MenuItem
            label="Ввести в действие сейчас"
            icon={IconPlayerPlay}
            onClick={() => void go(activation, { dateEffective: null })}
          />
        )}
        {others.map((one) => (
          <MenuItem label={one.label} key={one.to} icon={IconArrowBackUp} onClick={() => start(one)} />
        ))}
        {mayWrite && view.status === 'active' && view.reviewMonths > 0 && (
          <MenuItem label="Пересмотрен без изменений" icon={IconCalendarCheck} onClick={() => void keep()} />
        )}
        {mayWrite && !isDraft(view.status) && view.status !== 'archived' && (
          <MenuItem label="Изменить сроки" icon={IconClockEdit} onClick={() => setTiming(true)} />
        )}
        <PaperItems view={view} />
        <MenuItem
          label="Скопировать ссылку"
          icon={IconLink}
          onClick={() => void copyLink(regulationHref(view.id), 'Ссылка на регламент')}
        />
        {mayDelete && <RemoveItem entity={Regulation} row={view} onRemove={() => void drop()} />}
      </ActionMenu>
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
