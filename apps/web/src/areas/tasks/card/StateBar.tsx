import { Menu } from '@mantine/core'
import { isLate, offeredVerbs, stateOf, stateText, verbs } from '@ordinator/model/areas/tasks/states'
import { IconAlertTriangle, IconChevronDown } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { applyVerb, useVerbKeys, VerbItems } from '../board/CardVerbs.tsx'
import { useVerbs } from '../board/useVerbs.ts'
import { verbIcons } from '../board/verbIcons.ts'
import type { SectionProps } from './SectionProps.ts'
import classes from './StateBar.module.css'

/** State of the open task, the default verb as a button, others in the menu. */
export function StateBar({ card, data, rights, store }: SectionProps) {
  const { task } = card
  const use = useVerbs(store, data, rights)
  const [dialog, setDialog] = useState<ReactNode>()
  useVerbKeys(() => card, rights, use, { enabled: !dialog && !task.isTemplate, group: 'Карточка' })
  if (task.isTemplate) return null
  const { primary, others } = offeredVerbs((verb) => rights.verb(verb, task))
  const Icon = primary && verbIcons[primary]
  const state = task.isNeedChange && stateOf(task) === 'work' ? 'change' : stateOf(task)
  return (
    <VStack aria-label="Состояние" component="section">
      <HStack fw={500}>
        <span className={classes.dot} data-state={state} aria-hidden />
        {stateText(task)}
        {isLate(task) && (
          <HStack component="span" gap={4} display="inline-flex" ml="auto" c="var(--mantine-color-error)" fz={12}>
            <IconAlertTriangle size={14} aria-hidden /> Просрочена
          </HStack>
        )}
      </HStack>
      <HStack gap={4} align="stretch">
        {primary && Icon && (
          <ActionButton
            label={verbs[primary].label}
            flex={1}
            variant={primary === 'reopen' || primary === 'withdraw' ? 'default' : 'light'}
            icon={Icon}
            onClick={() => applyVerb(use, card, primary, setDialog)}
          />
        )}
        {others.length > 0 && (
          <Menu position="bottom-end" width={240}>
            <Menu.Target>
              {primary ? (
                <IconButton icon={IconChevronDown} variant="default" size={32} label="Другие действия с состоянием" />
              ) : (
                <ActionButton
                  label="Изменить состояние"
                  variant="default"
                  flex={1}
                  rightSection={<IconChevronDown size={18} />}
                />
              )}
            </Menu.Target>
            <Menu.Dropdown>
              <VerbItems lines={others} onUse={(verb) => applyVerb(use, card, verb, setDialog)} />
            </Menu.Dropdown>
          </Menu>
        )}
      </HStack>
      {dialog}
    </VStack>
  )
}
