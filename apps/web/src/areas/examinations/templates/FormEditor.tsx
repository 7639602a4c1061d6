import { Alert, SegmentedControl, Select, TextInput } from '@mantine/core'
import {
  type ExaminationForm,
  type FormField,
  type FormFieldType,
  type FormSection,
  fieldTypes,
  keyOf,
  MAX_FIELDS,
  MAX_LABEL,
  MAX_SECTIONS,
} from '@ordinator/model/areas/examinations/form'
import { isSamePart } from '@ordinator/model/areas/examinations/parts'
import { ExaminationTemplate } from '@ordinator/model/areas/examinations/template'
import { wrongForm } from '@ordinator/model/areas/examinations/wrongForm'
import type { Row } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { IconArrowDown, IconArrowUp, IconCopy, IconTrash } from '@tabler/icons-react'
import { memo, useEffect, useMemo, useRef, useState } from 'react'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { useDraft } from '#base/draft.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { AddLine, addAndFocus } from '#kit/AddLine.tsx'
import { notify } from '#kit/notify.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { StickyFoot } from '#kit/StickyFoot.tsx'
import { useUnsavedGuard } from '#kit/useUnsavedGuard.ts'
import { Fine, Muted } from '#kit/Words.tsx'
import { useSave } from '#records/writes.ts'
import { FieldSettings } from './FieldSettings.tsx'
import classes from './FormEditor.module.css'
import { Preview } from './Preview.tsx'
import { useMayEdit } from './useMayEdit.ts'

type Template = Row<typeof ExaminationTemplate>

/** Form editor: sections, fields, and a preview for the doctor. */
export function FormEditor({ template }: { template: Template }) {
  const mayEdit = useMayEdit(template)
  const kept = useDraft<ExaminationForm>(mayEdit ? `examination-form:${template.id}` : undefined)
  const [base, setBase] = useState(template)
  const [form, setForm] = useState<ExaminationForm>(() => kept.found?.value ?? template.form)
  const [restored, setRestored] = useState(kept.found !== undefined)
  const [mode, setMode] = useState<'edit' | 'try'>(mayEdit ? 'edit' : 'try')
  const [open, setOpen] = useState<string>()
  const [refused, setRefused] = useState<string>()
  const save = useSave(ExaminationTemplate, { optimistic: false })
  const dirty = useMemo(() => !isSamePart(form, base.form), [form, base.form])
  const wrong = useMemo(() => wrongForm(form), [form])
  useUnsavedGuard(dirty)
  const moved = template.version !== base.version

  const latest = useRef(form)
  useEffect(() => void (latest.current = form), [form])
  const write = (next: ExaminationForm) => {
    setForm(next)
    setRefused(undefined)
    kept.keep(next)
  }
  const writeSection = (at: number, section: FormSection) =>
    write({ sections: form.sections.map((one, other) => (other === at ? section : one)) })
  const removeSection = (at: number, section: FormSection) => {
    write({ sections: form.sections.toSpliced(at, 1) })
    notify.undo(`Раздел «${section.title}» удалён`, () =>
      write({ sections: latest.current.sections.toSpliced(at, 0, section) }),
    )
  }
  /** Undo puts it back into its section, wherever that is now. */
  const removeField = (at: number, nth: number, field: FormField) => {
    const without = (form.sections[at] as FormSection).fields.toSpliced(nth, 1)
    writeSection(at, { ...(form.sections[at] as FormSection), fields: without })
    notify.undo(`Поле «${field.label}» удалено`, () => {
      const { sections } = latest.current
      const home = Math.min(at, sections.length - 1)
      if (home < 0) return write({ sections: [{ title: 'Раздел 1', fields: [field] }] })
      write({
        sections: sections.map((one, other) =>
          other === home ? { ...one, fields: one.fields.toSpliced(nth, 0, field) } : one,
        ),
      })
    })
  }
  const moveSection = (at: number, step: number) => write({ sections: swapped(form.sections, at, at + step) })
  const fields = useMemo(() => form.sections.flatMap((section) => section.fields), [form])
  const taken = useMemo(() => new Set(fields.map(({ key }) => key)), [fields])
  const drop = () => {
    kept.drop()
    setRestored(false)
    setBase(template)
    setForm(template.form)
  }
  const submit = () =>
    save.mutate(
      { id: template.id, form, _version: base._version },
      {
        onSuccess: (row) => {
          kept.drop()
          setRestored(false)
          setBase(row)
          setForm(row.form)
          notify.success(`Сохранено: версия ${row.version}`)
        },
        onError: (error) =>
          setRefused(
            error instanceof ApiError && error.status === 409
              ? 'Шаблон изменил другой сотрудник. Ваша форма осталась здесь: скачайте её в файл или отмените правки.'
              : errorMessage(error),
          ),
      },
    )

  return (
    <VStack gap={16} maw={960}>
      <HStack wrap justify="space-between">
        <SegmentedControl
          aria-label="Что показать"
          data={[
            { value: 'edit', label: mayEdit ? 'Составить' : 'Поля' },
            { value: 'try', label: 'Как увидит врач' },
          ]}
          value={mode}
          onChange={(value) => setMode(value as typeof mode)}
        />
        <Muted>
          {counted(form.sections.length, ['раздел', 'раздела', 'разделов'])},{' '}
          {counted(fields.length, ['поле', 'поля', 'полей'])}
        </Muted>
      </HStack>
      {restored && (
        <Alert color="yellow" variant="light" role="status">
          <HStack justify="space-between" wrap>
            Восстановлена несохранённая форма
            <ActionButton label="Отменить правки" reverse size="compact-sm" variant="default" onClick={drop} />
          </HStack>
        </Alert>
      )}
      {moved && dirty && (
        <Alert color="yellow" variant="light" role="status">
          <HStack justify="space-between" wrap>
            Шаблон изменил другой сотрудник, пока вы его правите
            <ActionButton label="Взять его форму" size="compact-sm" variant="default" onClick={drop} />
          </HStack>
        </Alert>
      )}
      {mode === 'try' ? (
        wrong ? (
          <Alert color="red" variant="light">
            {wrong}
          </Alert>
        ) : (
          <Preview form={form} />
        )
      ) : (
        <>
          {form.sections.length === 0 && (
            <Muted component="p">Начните с раздела: «Жалобы и анамнез», «Осмотр», «Заключение».</Muted>
          )}
          {form.sections.map((section, at) => (
            <SectionEditor
              // biome-ignore lint/suspicious/noArrayIndexKey: a section is known by its place
              key={at}
              section={section}
              at={at}
              count={form.sections.length}
              fields={fields}
              taken={taken}
              open={open}
              readOnly={!mayEdit}
              onOpen={setOpen}
              onChange={(next) => writeSection(at, next)}
              onRemove={() => removeSection(at, section)}
              onRemoveField={(nth, field) => removeField(at, nth, field)}
              onMove={(step) => moveSection(at, step)}
            />
          ))}
          {mayEdit && (
            <HStack>
              <AddLine
                label="Добавить раздел"
                size="sm"
                disabled={form.sections.length >= MAX_SECTIONS}
                onAdd={() =>
                  write({ sections: [...form.sections, { title: `Раздел ${form.sections.length + 1}`, fields: [] }] })
                }
              />
            </HStack>
          )}
        </>
      )}
      {mayEdit && (
        <StickyFoot justify="flex-end">
          <Block grow miw={0} className="breaks" role="status">
            {(refused ?? (dirty && wrong)) && (
              <Fine c="var(--mantine-color-error)" component="div">
                {refused ?? wrong}
              </Fine>
            )}
          </Block>
          {dirty && <ActionButton label="Отменить правки" reverse variant="default" onClick={drop} />}
          <ActionButton
            label="Сохранить"
            disabled={!dirty || wrong !== undefined}
            loading={save.isPending}
            onClick={submit}
          />
        </StickyFoot>
      )}
    </VStack>
  )
}

/** The list with two items swapped. */
function swapped<T>(list: readonly T[], at: number, to: number): T[] {
  const next = [...list]
  const [one, other] = [next[at], next[to]]
  if (one === undefined || other === undefined) return next
  next[at] = other
  next[to] = one
  return next
}

interface SectionProps {
  section: FormSection
  at: number
  count: number
  fields: readonly FormField[]
  taken: ReadonlySet<string>
  /** Key of the open field. */
  open: string | undefined
  readOnly: boolean
  onOpen: (key: string | undefined) => void
  onChange: (section: FormSection) => void
  onRemove: () => void
  onRemoveField: (nth: number, field: FormField) => void
  onMove: (step: number) => void
}

function SectionEditor(props: SectionProps) {
  const { section, at, count, fields, taken, open, readOnly, onOpen, onChange, onRemove, onRemoveField, onMove } = props
  const set = (next: FormField[]) => onChange({ ...section, fields: next })
  const add = (type: FormFieldType) => {
    const field = freshField(type, taken)
    set([...section.fields, field])
    onOpen(field.key)
  }
  return (
    <Block component="section" framed p={12} aria-label={`Раздел: ${section.title}`}>
      <HStack gap={8}>
        <TextInput
          flex={1}
          aria-label={`Название раздела ${at + 1}`}
          value={section.title}
          maxLength={MAX_LABEL}
          readOnly={readOnly}
          error={section.title.trim() ? undefined : 'Нужно название'}
          onChange={(event) => onChange({ ...section, title: event.currentTarget.value })}
        />
        {!readOnly && (
          <ActionMenu label={`Действия: раздел ${section.title}`} width={220}>
            <MenuItem label="Выше" icon={IconArrowUp} disabled={at === 0} onClick={() => onMove(-1)} />
            <MenuItem label="Ниже" icon={IconArrowDown} disabled={at === count - 1} onClick={() => onMove(1)} />
            <MenuItem label="Удалить раздел" danger icon={IconTrash} onClick={onRemove} />
          </ActionMenu>
        )}
      </HStack>
      <ul className={classes.fields} aria-label={`Поля: ${section.title}`}>
        {section.fields.map((field, number) => (
          <FieldLine
            // biome-ignore lint/suspicious/noArrayIndexKey: a field is known by its place, for its name may change
            key={number}
            field={field}
            isOpen={open === field.key}
            fields={fields}
            readOnly={readOnly}
            isFirst={number === 0}
            isLast={number === section.fields.length - 1}
            onOpen={() => onOpen(open === field.key ? undefined : field.key)}
            onChange={(next) => {
              set(section.fields.map((one, other) => (other === number ? next : one)))
              if (next.key !== field.key) onOpen(next.key)
            }}
            onMove={(step) => set(swapped(section.fields, number, number + step))}
            onCopy={() => {
              const copy = { ...field, key: keyOf(field.label, taken) }
              set([...section.fields.slice(0, number + 1), copy, ...section.fields.slice(number + 1)])
              onOpen(copy.key)
            }}
            onRemove={() => onRemoveField(number, field)}
          />
        ))}
      </ul>
      {!readOnly && (
        <Select
          w={240}
          mt={8}
          aria-label={`Добавить поле: ${section.title}`}
          placeholder="Добавить поле…"
          data={Object.entries(fieldTypes).map(([value, label]) => ({ value, label }))}
          value={null}
          searchable
          disabled={fields.length >= MAX_FIELDS}
          nothingFoundMessage="Такого вида нет"
          onChange={(type) => type && addAndFocus(document.activeElement, () => add(type as FormFieldType))}
        />
      )}
    </Block>
  )
}

/** A new field with the required settings of its type. */
function freshField(type: FormFieldType, taken: ReadonlySet<string>): FormField {
  const label = fieldTypes[type]
  return {
    key: keyOf(label, taken),
    label,
    type,
    ...((type === 'choice' || type === 'multi') && { options: ['Да', 'Нет'] }),
    ...(type === 'scale' && { min: 0, max: 10 }),
    ...(type === 'calc' && { formula: '0' }),
    ...(type === 'picture' && { picture: 'body' }),
    ...(type === 'table' && { columns: ['Показатель', 'Значение'] }),
  }
}

interface LineProps {
  field: FormField
  fields: readonly FormField[]
  isOpen: boolean
  readOnly: boolean
  isFirst: boolean
  isLast: boolean
  onOpen: () => void
  onChange: (field: FormField) => void
  onMove: (step: number) => void
  onCopy: () => void
  onRemove: () => void
}

const FieldLine = memo(function FieldLine(props: LineProps) {
  const { field, fields, isOpen, readOnly, isFirst, isLast, onOpen, onChange, onMove, onCopy, onRemove } = props
  return (
    <li className={classes.field}>
      <HStack gap={8}>
        <button type="button" className={classes.face} aria-expanded={isOpen} onClick={onOpen}>
          <span className={classes.name}>
            {field.label || 'Без названия'}
            {field.required && <span aria-hidden> *</span>}
          </span>
          <Fine>
            {fieldTypes[field.type]}
            {field.formula !== undefined && `: ${field.formula}`}
            {field.showIf && ' · по условию'}
          </Fine>
        </button>
        {!readOnly && (
          <ActionMenu label={`Действия: ${field.label}`} width={200}>
            <MenuItem label="Выше" icon={IconArrowUp} disabled={isFirst} onClick={() => onMove(-1)} />
            <MenuItem label="Ниже" icon={IconArrowDown} disabled={isLast} onClick={() => onMove(1)} />
            <MenuItem label="Дублировать" icon={IconCopy} onClick={onCopy} />
            <MenuItem label="Удалить поле" danger icon={IconTrash} onClick={onRemove} />
          </ActionMenu>
        )}
      </HStack>
      {isOpen && <FieldSettings field={field} fields={fields} readOnly={readOnly} onChange={onChange} />}
    </li>
  )
})
