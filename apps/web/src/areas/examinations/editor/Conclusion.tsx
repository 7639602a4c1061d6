/** Final part of every examination: diagnoses, prescriptions, recommendations. */
import { Select, TextInput } from '@mantine/core'
import { ICD10 } from '@ordinator/model/areas/examinations/dictionary'
import {
  type Diagnosis,
  diagnosisKinds,
  diagnosisTypes,
  MAX_DIAGNOSES,
  MAX_PRESCRIPTIONS,
  MAX_RECOMMENDATIONS,
  type Prescription,
} from '@ordinator/model/areas/examinations/examination'
import { diagnosisWords, prescriptionWords } from '@ordinator/model/areas/examinations/paper'
import { IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { loadTerms, termOf } from '#areas/dictionaries/index.ts'
import { AddLine, addAndFocus } from '#kit/AddLine.tsx'
import { AjaxSelect } from '#kit/AjaxSelect.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import classes from './Editor.module.css'
import { FieldFrame } from './FieldFrame.tsx'
import { usePart } from './useDraft.ts'

const loadIcd = loadTerms(ICD10)
const optionsOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

interface PartProps {
  id: string
  title: string
  error?: string
  children: ReactNode
}

const Part = ({ id, title, error, children }: PartProps) => (
  <Block component="section" framed p={16} id={id} className={classes.section} aria-label={title}>
    <h2>{title}</h2>
    <VStack gap={8} mt={8}>
      {children}
      {error && (
        <Fine c="var(--mantine-color-error)" role="alert">
          {error}
        </Fine>
      )}
    </VStack>
  </Block>
)

export function Diagnoses() {
  const { value, set, error } = usePart<readonly Diagnosis[]>('diagnoses')
  const change = (at: number, patch: Partial<Diagnosis>) =>
    set(
      value.map((one, other) =>
        other === at
          ? { ...one, ...patch }
          : // Only one diagnosis is the main one.
            patch.kind === 'main' && one.kind === 'main'
            ? { ...one, kind: 'accompanying' }
            : one,
      ),
    )
  return (
    <Part id="diagnoses" title="Диагнозы" error={error}>
      <FieldFrame
        part="diagnoses"
        label="Диагнозы"
        words={(one) => ((one ?? []) as Diagnosis[]).map(diagnosisWords).join('\n')}
      >
        <VStack gap={8}>
          {value.map((one, at) => (
            <HStack key={one.code} gap="6px 8px" wrap align="flex-start">
              <Block flex="1 1 260px" miw={0} className="breaks" pt={6}>
                <strong>{one.code}</strong> {one.name}
              </Block>
              <Select
                w={160}
                aria-label={`Вид диагноза ${one.code}`}
                data={optionsOf(diagnosisKinds)}
                value={one.kind}
                allowDeselect={false}
                onChange={(kind) => change(at, { kind: kind as Diagnosis['kind'] })}
              />
              <Select
                w={180}
                aria-label={`Уверенность в диагнозе ${one.code}`}
                data={optionsOf(diagnosisTypes)}
                value={one.type}
                allowDeselect={false}
                onChange={(type) => change(at, { type: type as Diagnosis['type'] })}
              />
              <TextInput
                flex="1 1 180px"
                aria-label={`Уточнение к диагнозу ${one.code}`}
                placeholder="Уточнение"
                maxLength={500}
                value={one.note ?? ''}
                onChange={(event) => change(at, { note: event.currentTarget.value })}
              />
              <IconButton
                icon={IconTrash}
                label={`Убрать диагноз ${one.code}`}
                onClick={() => set(value.filter((_, other) => other !== at))}
              />
            </HStack>
          ))}
          {value.length < MAX_DIAGNOSES && (
            <AjaxSelect<string>
              aria-label="Добавить диагноз"
              placeholder="Код или слова: J06, острый бронхит"
              load={loadIcd}
              value={null}
              onChange={(option) => {
                if (!option || value.some(({ code }) => code === option.value)) return
                const kind = value.some((one) => one.kind === 'main') ? 'accompanying' : 'main'
                set([...value, { ...termOf(option), kind, type: 'preliminary' }])
              }}
            />
          )}
        </VStack>
      </FieldFrame>
    </Part>
  )
}

export function Prescriptions() {
  const { value, set, error } = usePart<readonly Prescription[]>('prescriptions')
  const change = (at: number, patch: Partial<Prescription>) =>
    set(value.map((one, other) => (other === at ? { ...one, ...patch } : one)))
  const cell = (at: number, name: keyof Prescription, label: string, flex: string, max: number) => (
    <TextInput
      flex={flex}
      aria-label={`${label}, назначение ${at + 1}`}
      placeholder={label}
      maxLength={max}
      value={value[at]?.[name] ?? ''}
      onChange={(event) => change(at, { [name]: event.currentTarget.value })}
    />
  )
  return (
    <Part id="prescriptions" title="Назначения" error={error}>
      <FieldFrame
        part="prescriptions"
        label="Назначения"
        words={(one) => ((one ?? []) as Prescription[]).map(prescriptionWords).join('\n')}
      >
        <VStack gap={8}>
          {value.map((_, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its number
            <HStack key={at} gap="6px 8px" wrap>
              {cell(at, 'name', 'Препарат или процедура', '2 1 220px', 300)}
              {cell(at, 'how', 'Как принимать', '2 1 200px', 300)}
              <HStack gap={8} flex="1 1 140px">
                {cell(at, 'term', 'Сколько', '1', 100)}
                <IconButton
                  icon={IconTrash}
                  label={`Убрать назначение ${at + 1}`}
                  onClick={() => set(value.filter((__, other) => other !== at))}
                />
              </HStack>
            </HStack>
          ))}
          <HStack>
            <AddLine
              label="Добавить назначение"
              disabled={value.length >= MAX_PRESCRIPTIONS}
              onAdd={() => set([...value, { name: '', how: '', term: '' }])}
            />
          </HStack>
        </VStack>
      </FieldFrame>
    </Part>
  )
}

export function Recommendations() {
  const { value, set, error } = usePart<readonly string[]>('recommendations')
  return (
    <Part id="recommendations" title="Рекомендации" error={error}>
      <FieldFrame part="recommendations" label="Рекомендации" words={(one) => ((one ?? []) as string[]).join('\n')}>
        <VStack gap={8}>
          {value.map((text, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its number
            <HStack key={at} gap={8}>
              <TextInput
                flex={1}
                aria-label={`Рекомендация ${at + 1}`}
                maxLength={1000}
                value={text}
                onChange={(event) => set(value.map((one, other) => (other === at ? event.currentTarget.value : one)))}
                onKeyDown={(event) => {
                  // Enter adds the next line, as in any list.
                  if (event.key !== 'Enter' || at < value.length - 1 || value.length >= MAX_RECOMMENDATIONS) return
                  if (text.trim()) addAndFocus(event.currentTarget, () => set([...value, '']))
                }}
              />
              <IconButton
                icon={IconTrash}
                label={`Убрать рекомендацию ${at + 1}`}
                onClick={() => set(value.filter((_, other) => other !== at))}
              />
            </HStack>
          ))}
          <HStack>
            <AddLine
              label="Добавить рекомендацию"
              disabled={value.length >= MAX_RECOMMENDATIONS}
              onAdd={() => set([...value, ''])}
            />
          </HStack>
        </VStack>
      </FieldFrame>
    </Part>
  )
}
