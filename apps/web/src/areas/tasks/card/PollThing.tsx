import { Switch } from '@mantine/core'
import { TaskUpload as StoredFile } from '@ordinator/model/areas/tasks/file'
import { Poll, PollOption, PollResult, pollClosed } from '@ordinator/model/areas/tasks/poll'
import type { Row } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { IconPhotoOff, IconSettings } from '@tabler/icons-react'
import { useState } from 'react'
import { previewUrl } from '#areas/files/index.ts'
import { errorMessage } from '#base/apiError.ts'
import { upload } from '#base/apiUpload.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { MenuItem } from '#kit/ActionMenu.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { DateTimeField } from '#kit/DateTimeField.tsx'
import { isMoment } from '#kit/dateText.ts'
import { FilePicker } from '#kit/FilePicker.tsx'
import { notify } from '#kit/notify.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { stepPlace } from '#kit/useSortable.ts'
import { useList, useRecord } from '#records/reads.ts'
import { useMove, useRemove, useSave } from '#records/writes.ts'
import { AddLines } from './AddLines.tsx'
import { PollOptionRow } from './PollOptionRow.tsx'
import { ThingFrame } from './ThingFrame.tsx'
import classes from './Things.module.css'
import type { usePolls } from './usePolls.ts'
import type { Thing } from './useThings.ts'

const MAX_QUESTION = 500
const MAX_OPTION = 255

const votes = ['голос', 'голоса', 'голосов'] as const

interface Props {
  thing: Thing<Row<typeof Poll>>
  polls: ReturnType<typeof usePolls>
  isFirst: boolean
  isLast: boolean
  fresh: boolean
  mayEdit: boolean
  idUser: number
}

/** A poll: question, picture, options and results. */
export function PollThing({ thing, polls, isFirst, isLast, fresh, mayEdit, idUser }: Props) {
  const poll = thing.record
  // Expanded, so that others' votes refresh the counts.
  const options = useList(
    PollOption,
    { filter: { idPoll: poll.id }, expand: ['results.user'], sort: 'order', limit: 100 },
    { forbidden: 'silent' },
  )
  const picture = useRecord(StoredFile, poll.image ?? undefined, {}, { forbidden: 'silent' })
  const saveOption = useSave(PollOption)
  const removeOption = useRemove(PollOption, { message: 'Вариант удалён' })
  const move = useMove(PollOption)
  const vote = useSave(PollResult)
  const withdraw = useRemove(PollResult, { message: 'Голос отозван' })
  const [settings, setSettings] = useState(false)

  const rows = options.data?.items ?? []
  const total = rows.reduce((sum, row) => sum + row.resultsCount, 0)
  const closed = pollClosed(poll)
  const busy = vote.isPending || withdraw.isPending
  const choose = (idOption: number) => {
    const option = rows.find((row) => row.id === idOption)
    const own = option?.results.find((result) => result.idUser === idUser)
    if (own) withdraw.mutate(own.id)
    else vote.mutate({ idOption })
  }
  const setPicture = async (files: File[]) => {
    const [file] = files
    if (!file) return
    try {
      const stored = await upload('POST /tasks-management/files', { body: file })
      polls.change(poll.id, { image: stored.id })
    } catch (error) {
      notify.error(errorMessage(error), { title: 'Картинка не добавлена' })
    }
  }
  return (
    <ThingFrame
      thing={thing}
      kind="Опрос"
      maxName={MAX_QUESTION}
      mayEdit={mayEdit}
      fresh={fresh}
      isFirst={isFirst}
      isLast={isLast}
      menu={
        <>
          <MenuItem label="Настройки опроса…" icon={IconSettings} onClick={() => setSettings(true)} />
          {poll.image && (
            <MenuItem
              label="Убрать картинку"
              icon={IconPhotoOff}
              onClick={() => {
                const { image } = poll
                polls.change(poll.id, { image: null })
                notify.undo('Картинка убрана', () => polls.change(poll.id, { image }))
              }}
            />
          )}
        </>
      }
      onName={(name) => polls.change(poll.id, { name })}
      onStep={(step) => polls.step(thing, step)}
      onPut={polls.put}
      onRemove={() => polls.remove(thing)}
    >
      <p className={classes.pollState} data-closed={closed !== undefined || undefined}>
        {closed ?? (poll.isMultiple ? 'Можно выбрать несколько' : 'Выберите один вариант')}
        {closed === undefined && poll.dateEnd && ` · до ${formatDateTime(poll.dateEnd)}`}
        {closed !== undefined && poll.dateStart && Date.parse(poll.dateStart) > Date.now()
          ? ` · начнётся ${formatDateTime(poll.dateStart)}`
          : ''}
        {` · ${counted(total, votes)}`}
      </p>
      {picture.data && (
        <img className={classes.pollPicture} src={previewUrl(picture.data, 'medium')} alt={`К опросу «${poll.name}»`} />
      )}
      <ul aria-label={`Варианты: ${poll.name}`}>
        {rows.map((option, at) => {
          const chosen = option.results
          return (
            <PollOptionRow
              key={option.id}
              option={option}
              isMultiple={poll.isMultiple}
              share={total > 0 ? option.resultsCount / total : 0}
              people={chosen.flatMap(({ user }) => (user ? [user] : []))}
              mine={chosen.some((result) => result.idUser === idUser)}
              closed={closed}
              busy={busy}
              mayEdit={mayEdit}
              isFirst={at === 0}
              isLast={at === rows.length - 1}
              onChoose={() => choose(option.id)}
              onName={(name) => saveOption.mutate({ id: option.id, name })}
              onPut={(id, place) => move.mutate({ id, ...place })}
              onStep={(step) => {
                const place = stepPlace(rows, option.id, step)
                if (place) move.mutate({ id: option.id, ...place })
              }}
              onRemove={() => removeOption.mutate(option.id)}
            />
          )
        })}
      </ul>
      {options.isSuccess && rows.length === 0 && !mayEdit && (
        <HStack component="p" gap={6} c="dimmed">
          Вариантов пока нет
        </HStack>
      )}
      {mayEdit && (
        <HStack>
          <AddLines
            label={`Новый вариант: ${poll.name}`}
            placeholder="Добавить вариант"
            maxLength={MAX_OPTION}
            onAdd={(name) => saveOption.mutateAsync({ idPoll: poll.id, name })}
          />
          {!poll.image && (
            <FilePicker
              size="compact-sm"
              extensions={['png', 'jpg', 'jpeg', 'webp', 'gif']}
              onFiles={(files) => void setPicture(files)}
            >
              Картинка
            </FilePicker>
          )}
        </HStack>
      )}
      {settings && <PollSettings poll={poll} onClose={() => setSettings(false)} />}
    </ThingFrame>
  )
}

interface Draft {
  dateStart: string | null
  dateEnd: string | null
  isMultiple: boolean
}

/** Period of a poll, and multiple choice. */
function PollSettings({ poll, onClose }: { poll: Row<typeof Poll>; onClose: () => void }) {
  const save = useSave(Poll, { toast: false })
  const [draft, setDraft] = useState<Draft>({
    dateStart: poll.dateStart,
    dateEnd: poll.dateEnd,
    isMultiple: poll.isMultiple,
  })
  const wrong = [draft.dateStart, draft.dateEnd].some((date) => date !== null && !isMoment(date))
  const field = (name: 'dateStart' | 'dateEnd', error: string | undefined) => (
    <DateTimeField
      label={Poll.fields[name].options.label}
      defaultTime={name === 'dateEnd' ? '18:00' : '09:00'}
      value={draft[name]}
      error={error}
      onChange={(value) => setDraft({ ...draft, [name]: value })}
    />
  )
  return (
    <ActionDialog
      title="Настройки опроса"
      size="sm"
      action="Сохранить"
      disabled={wrong}
      run={() => save.mutateAsync({ id: poll.id, ...draft })}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <Switch
            label="Можно выбрать несколько вариантов"
            checked={draft.isMultiple}
            error={errorOf('isMultiple')}
            onChange={(event) => setDraft({ ...draft, isMultiple: event.currentTarget.checked })}
          />
          {field('dateStart', errorOf('dateStart'))}
          {field('dateEnd', errorOf('dateEnd'))}
        </>
      )}
    </ActionDialog>
  )
}
