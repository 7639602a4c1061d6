import { Chip, Group, SegmentedControl, Switch, Text, Title } from '@mantine/core'
import { BoardMember } from '@ordinator/model/areas/tasks/board'
import type { MemberRights } from '@ordinator/model/areas/tasks/rights'
import { useId } from 'react'
import { HStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { flagFields, levelFields, levels, presetOf, presets } from './rights.ts'

interface Props {
  value: MemberRights
  onChange: (part: Partial<MemberRights>) => void
  /** True when the user may grant these rights: at most the own ones. */
  mayGive: (part: Partial<MemberRights>) => boolean
  readOnly: boolean
  /** Shows only presets. */
  folded?: boolean
}

/** Rights of one or several members: a preset, or each right. */
export function RightsFields({ value, onChange, mayGive, readOnly, folded }: Props) {
  const id = useId()
  const fields = BoardMember.fields
  const preset = presetOf(value)
  return (
    <>
      {!readOnly && (
        <Group gap={8} role="group" aria-label="Готовый набор прав">
          {presets.map(({ key, label, rights }) => (
            <Chip
              key={key}
              size="xs"
              checked={preset === key}
              disabled={preset !== key && !mayGive(rights)}
              onChange={() => preset !== key && onChange(rights)}
            >
              {label}
            </Chip>
          ))}
          {!preset && <Fine component="p">Свой набор</Fine>}
        </Group>
      )}
      {!folded && (
        <>
          <Title order={3} fz="xs" lh="xs" mt={12} c="dimmed">
            Задачи
          </Title>
          {levelFields.map((field) => (
            <HStack key={field} gap="4px 12px" justify="space-between" wrap>
              <Text size="sm" id={`${id}-${field}`}>
                {fields[field].options.label}
              </Text>
              <SegmentedControl
                size="xs"
                aria-labelledby={`${id}-${field}`}
                readOnly={readOnly}
                value={value[field]}
                onChange={(level) => onChange({ [field]: level })}
                data={levels.map(({ value: level, label }) => ({
                  value: level,
                  label,
                  disabled: level !== value[field] && (readOnly || !mayGive({ [field]: level })),
                }))}
              />
            </HStack>
          ))}
          <Title order={3} fz="xs" lh="xs" mt={12} c="dimmed">
            Пространство
          </Title>
          {flagFields.map((field) => (
            <Switch
              key={field}
              label={fields[field].options.label}
              checked={value[field]}
              disabled={readOnly || (!value[field] && !mayGive({ [field]: true }))}
              onChange={(event) => onChange({ [field]: event.currentTarget.checked })}
            />
          ))}
        </>
      )}
    </>
  )
}
