import { ActionIcon, Button, Menu } from '@mantine/core'
import { isLate, offeredVerbs, stateOf, stateText, verbs } from '@ordinator/model/areas/tasks/states'
import { IconAlertTriangle, IconChevronDown } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { applyVerb, useVerbKeys, VerbItems } from '../board/CardVerbs.tsx'
import { useVerbs } from '../board/useVerbs.ts'
import { verbIcons } from '../board/verbIcons.ts'
import type { SectionProps } from './SectionProps.ts'
import classes from './StateBar.module.css'

/** The state of the open task in words, the likeliest step as a button, and the others in its menu. */
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
    <section aria-label="Состояние" className={classes.bar}>
      <div className={classes.state}>
        <span className={classes.dot} data-state={state} aria-hidden />
        {stateText(task)}
        {isLate(task) && (
          <span className={classes.late}>
            <IconAlertTriangle size={14} aria-hidden /> Просрочена
          </span>
        )}
      </div>
      <div className={classes.verbs}>
        {primary && Icon && (
          <Button
            className={classes.primary}
            variant={primary === 'reopen' || primary === 'withdraw' ? 'default' : 'light'}
            leftSection={<Icon size={18} />}
            onClick={() => applyVerb(use, card, primary, setDialog)}
          >
            {verbs[primary].label}
          </Button>
        )}
        {others.length > 0 && (
          <Menu position="bottom-end" width={240}>
            <Menu.Target>
              {primary ? (
                <ActionIcon variant="default" size={32} aria-label="Другие действия с состоянием">
                  <IconChevronDown size={18} />
                </ActionIcon>
              ) : (
                <Button variant="default" className={classes.primary} rightSection={<IconChevronDown size={18} />}>
                  Изменить состояние
                </Button>
              )}
            </Menu.Target>
            <Menu.Dropdown>
              <VerbItems lines={others} onUse={(verb) => applyVerb(use, card, verb, setDialog)} />
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
      {dialog}
    </section>
  )
}
