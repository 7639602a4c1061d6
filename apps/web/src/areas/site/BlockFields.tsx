import {
  type BlockError,
  blockType,
  defaultsOf,
  MAX_ROWS,
  SITE_FILES,
  type Block as SiteBlock,
} from '@ordinator/model/areas/site/blocks'
import { SitePage } from '@ordinator/model/areas/site/page'
import type { AnyField, Fields } from '@ordinator/model/entity'
import { isRef } from '@ordinator/model/fields/ref'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { PictureInput } from '#areas/files/index.ts'
import { AddLine } from '#kit/AddLine.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { uiOf } from '#records/fields/registry.ts'
import type { InputProps } from '#records/fields/ui.ts'

interface Props {
  block: SiteBlock
  errors: readonly BlockError[]
  readOnly: boolean
  onChange: (block: SiteBlock) => void
}

/** Fields of a block and of its rows, by its type's declaration. */
export function BlockFields({ block, errors, readOnly, onChange }: Props) {
  const type = blockType(block.type)
  if (!type) return null
  const { fields, rows: lines } = type
  const rows = block.rows ?? []
  const setRows = (next: Record<string, unknown>[]) => onChange({ ...block, rows: next })
  const swap = (at: number, to: number) => {
    const next = [...rows]
    const [one, other] = [next[at], next[to]]
    if (!one || !other) return
    next[at] = other
    next[to] = one
    setRows(next)
  }
  return (
    <VStack gap={12} pt={12}>
      <Values
        fields={fields}
        values={block.values}
        errors={errors}
        before=""
        readOnly={readOnly}
        onChange={(values) => onChange({ ...block, values })}
      />
      {lines &&
        rows.map((row, at) => {
          const name = `${lines.label[0]} ${at + 1}`
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place
            <Block key={at} framed p={12} component="section" aria-label={name}>
              <HStack justify="space-between">
                <Fine>{name.charAt(0).toUpperCase() + name.slice(1)}</Fine>
                {!readOnly && (
                  <HStack gap={4}>
                    <IconButton
                      icon={IconArrowUp}
                      label={`Выше: ${name}`}
                      disabled={at === 0}
                      onClick={() => swap(at, at - 1)}
                    />
                    <IconButton
                      icon={IconArrowDown}
                      label={`Ниже: ${name}`}
                      disabled={at === rows.length - 1}
                      onClick={() => swap(at, at + 1)}
                    />
                    <IconButton
                      icon={IconTrash}
                      label={`Удалить: ${name}`}
                      onClick={() => setRows(rows.filter((_, other) => other !== at))}
                    />
                  </HStack>
                )}
              </HStack>
              <VStack gap={12}>
                <Values
                  fields={lines.fields}
                  values={row}
                  errors={errors}
                  before={`rows.${at}.`}
                  readOnly={readOnly}
                  onChange={(values) => setRows(rows.map((one, other) => (other === at ? values : one)))}
                />
              </VStack>
            </Block>
          )
        })}
      {lines && !readOnly && (
        <HStack>
          <AddLine
            label={`Добавить: ${lines.label[0]}`}
            disabled={rows.length >= MAX_ROWS}
            onAdd={() => setRows([...rows, defaultsOf(lines.fields)])}
          />
        </HStack>
      )}
    </VStack>
  )
}

interface ValuesProps {
  fields: Fields
  values: Record<string, unknown>
  errors: readonly BlockError[]
  /** Prefix of its fields in the errors. */
  before: string
  readOnly: boolean
  onChange: (values: Record<string, unknown>) => void
}

function Values({ fields, values, errors, before, readOnly, onChange }: ValuesProps) {
  return Object.entries(fields).map(([name, f]) => {
    const Control = inputOf(f)
    const message = errors.find(({ at }) => at === before + name)?.message
    // The label is already above the field.
    const error = message?.replace(/^«[^»]*»: /, '')
    return (
      <Control
        key={name}
        entity={SitePage}
        name={before + name}
        f={f}
        value={values[name] ?? null}
        onChange={(value) => onChange({ ...values, [name]: value })}
        label={f.options.label}
        description={f.options.help}
        error={error && error.charAt(0).toUpperCase() + error.slice(1)}
        required={f.options.required === true}
        readOnly={readOnly}
      />
    )
  })
}

const inputOf = (f: AnyField): ComponentType<InputProps> =>
  isRef(f) && f.to === SITE_FILES ? PictureInput : (uiOf(f).Input as ComponentType<InputProps>)
