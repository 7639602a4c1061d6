import { Alert, CloseButton, Group, Tabs, Text, Textarea, TextInput } from '@mantine/core'
import { MAX_DESCRIPTION, MAX_NAME } from '@ordinator/model/areas/regulations/regulation'
import type { RegulationView } from '@ordinator/model/areas/regulations/wire'
import { IconAlertTriangle, IconHistory } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ApiError } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatHuman } from '#kit/clock.ts'
import { confirm } from '#kit/confirm.ts'
import frame from '#kit/openCard.module.css'
import { VStack } from '#kit/Stacks.tsx'
import { useUnsavedGuard } from '#kit/useUnsavedGuard.ts'
import { readRegulation, saveRegulation, useSavedRegulation } from '../calls.ts'
import { ImportDocxButton } from '../docx/ImportDocxButton.tsx'
import { Audience } from '../reads/Audience.tsx'
import { StatusChip } from '../StatusChip.tsx'
import { toastDone, toastFailed } from '../toasts.ts'
import { bodyOf, bodyOver, type DraftErrors, draftOf, saveMessage, wrongOf } from './draft.ts'
import { EditorSide } from './EditorSide.tsx'
import { ReadingSettings } from './ReadingSettings.tsx'
import classes from './RegulationEditor.module.css'
import { StaleDialog } from './StaleDialog.tsx'
import { StepList } from './StepList.tsx'
import { useRegulationDraft } from './useRegulationDraft.ts'

interface Props {
  /** Absent: a new regulation. */
  view?: RegulationView
  /** Set to the close function, which confirms unsaved changes. */
  closing: RefObject<(() => void) | undefined>
  onSaved: (view: RegulationView) => void
  onClose: () => void
}

type Tab = 'steps' | 'reading'

/** Form of a regulation: properties, steps, readers and the test. */
export function RegulationEditor({ view, closing, onSaved, onClose }: Props) {
  const form = useRegulationDraft(view)
  const { draft, errors, acts, dirty, version, restored } = form
  const [tab, setTab] = useState<Tab>('steps')
  const [saving, setSaving] = useState(false)
  const [stale, setStale] = useState<RegulationView>()
  const root = useRef<HTMLDivElement>(null)
  const keep = useSavedRegulation()
  useUnsavedGuard(dirty)
  const moved = view !== undefined && version !== undefined && view._version > version
  if (moved && !dirty) queueMicrotask(() => form.startFrom(view))

  const showErrors = (found: DraftErrors) => {
    flushSync(() => {
      acts.setErrors(found)
      setTab('test' in found && Object.keys(found).length === 1 ? 'reading' : 'steps')
    })
    toastFailed('Ошибка при сохранении', saveMessage(found))
    focusFirst(root.current, found)
  }

  const send = async (body: ReturnType<typeof bodyOf>) => {
    setSaving(true)
    try {
      const saved = await saveRegulation(view?.id, body)
      form.forget()
      keep(saved)
      toastDone(view ? 'Регламент успешно обновлен' : 'Регламент успешно создан')
      flushSync(() => form.startFrom(saved))
      onSaved(saved)
    } catch (error) {
      if (error instanceof ApiError && error.status === 422 && error.fields) showErrors(error.byField)
      else if (error instanceof ApiError && error.status === 409 && error.code === 'stale' && view)
        setStale(await readRegulation(view.id))
      else toastFailed('Ошибка при сохранении', error, 'Ошибка при сохранении регламента')
    } finally {
      setSaving(false)
    }
  }

  const save = () => {
    if (saving) return
    const found = wrongOf(draft)
    if (Object.keys(found).length) return showErrors(found)
    void send({ ...bodyOf(draft), ...(version !== undefined && { _version: version }) })
  }

  const close = async () => {
    const question = {
      title: 'Изменения не сохранены',
      message: 'Черновик останется на этом компьютере: он появится, когда вы снова откроете форму.',
      confirm: 'Закрыть',
      cancel: 'Остаться',
    }
    if (!dirty || (await confirm(question))) onClose()
  }

  useEffect(() => {
    closing.current = () => void close()
    return () => {
      closing.current = undefined
    }
  })

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      event.stopPropagation()
      save()
    }
  }

  return (
    <VStack ref={root} gap={0} mih={0} flex={1} onKeyDown={onKeyDown}>
      <div className={frame.top}>
        <h2>{view ? 'Изменение регламента' : 'Новый регламент'}</h2>
        <StatusChip status={view?.status ?? 'template'} />
        {view && view.version > 1 && <span className={classes.dim}>версия {view.version}</span>}
        <div className={frame.topActions}>
          <ImportDocxButton acts={acts} isNew={!view} />
          <CloseButton aria-label="Закрыть" onClick={() => void close()} />
        </div>
      </div>
      <div className={frame.layout}>
        <div className={frame.main}>
          {restored && (
            <Alert color="yellow" mb="md" icon={<IconHistory size={18} />} title="Восстановлено несохранённое">
              Черновик: {formatHuman(restored)}.
              <div className={frame.alertActions}>
                <ActionButton
                  label="Отбросить"
                  size="compact-sm"
                  variant="default"
                  onClick={() => form.startFrom(view)}
                />
              </div>
            </Alert>
          )}
          {moved && dirty && (
            <Alert color="yellow" mb="md" icon={<IconAlertTriangle size={18} />}>
              Регламент изменили, пока вы его правите. При сохранении вы выберете, что оставить.
            </Alert>
          )}
          <Tabs value={tab} onChange={(value) => setTab(value as Tab)} keepMounted={false}>
            <Tabs.List mb="md">
              <Tabs.Tab value="steps">Регламент</Tabs.Tab>
              <Tabs.Tab value="reading">Ознакомление и тест</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="steps" className={classes.fields}>
              <TextInput
                label="Название"
                required
                data-autofocus={view ? undefined : true}
                data-field="name"
                maxLength={MAX_NAME}
                value={draft.name}
                error={errors.name}
                onChange={(event) => acts.change({ name: event.currentTarget.value })}
                description={<Counter length={draft.name.length} max={MAX_NAME} />}
              />
              <Textarea
                label="Описание"
                autosize
                minRows={2}
                maxRows={8}
                data-field="description"
                maxLength={MAX_DESCRIPTION}
                value={draft.description}
                error={errors.description}
                onChange={(event) => acts.change({ description: event.currentTarget.value })}
                description={<Counter length={draft.description.length} max={MAX_DESCRIPTION} />}
              />
              <StepList stages={draft.stages} open={form.open} errors={errors} acts={acts} />
            </Tabs.Panel>
            <Tabs.Panel value="reading" className={classes.fields}>
              <ReadingSettings draft={draft} error={errors.test} acts={acts} />
              {view ? (
                <Audience idRegulation={view.id} />
              ) : (
                <Text c="dimmed">Кому ознакомиться, можно указать после создания регламента</Text>
              )}
            </Tabs.Panel>
          </Tabs>
        </div>
        <EditorSide draft={draft} errors={errors} acts={acts} view={view} />
      </div>
      <Group justify="flex-end" gap={8} className={classes.foot}>
        <span className={classes.hint}>Ctrl+Enter — сохранить</span>
        <ActionButton label="Отмена" variant="default" onClick={() => void close()} />
        <ActionButton
          label={view ? 'Сохранить' : 'Создать'}
          loading={saving}
          disabled={view !== undefined && !dirty}
          onClick={save}
        />
      </Group>
      {stale && (
        <StaleDialog
          mine={draft}
          theirs={draftOf(stale)}
          when={stale.updated_at}
          onMine={() => send(bodyOver(draft, stale))}
          onTheirs={() => {
            setStale(undefined)
            keep(stale)
            form.startFrom(stale)
          }}
          onClose={() => setStale(undefined)}
        />
      )}
    </VStack>
  )
}

/** «12 / 255» under a field. */
function Counter({ length, max }: { length: number; max: number }): ReactNode {
  return (
    <Text span display="block" inherit ta="right" className="tabular">
      {length} / {max}
    </Text>
  )
}

/** Scrolls to the first invalid field, and focuses it. */
function focusFirst(root: HTMLElement | null, errors: DraftErrors): void {
  const field = [...(root?.querySelectorAll<HTMLElement>('[data-field]') ?? [])].find(
    (one) => one.dataset.field && Object.hasOwn(errors, one.dataset.field),
  )
  field?.scrollIntoView({ block: 'center' })
  field?.focus({ preventScroll: true })
}
