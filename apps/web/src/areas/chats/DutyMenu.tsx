import { Menu, UnstyledButton } from '@mantine/core'
import { type OperatorState, operatorStates } from '@ordinator/model/areas/chats/liveAssist'
import { IconCheck, IconChevronDown, IconTransferOut } from '@tabler/icons-react'
import { useState } from 'react'
import { HandoverDialog } from '#areas/centre/index.ts'
import classes from './duty.module.css'
import { dutyWords, useChooseDuty, useDuty } from './useDuty.ts'

const hints: Record<OperatorState, string> = {
  online: 'Новые чаты могут прийти вам',
  away: 'Ненадолго: без ответа чаты уйдут другим',
  offline: 'Смена окончена',
}

/** The operator's status, with a menu to change it. */
export function DutyMenu() {
  const duty = useDuty()
  const choose = useChooseDuty()
  const [handing, setHanding] = useState(false)
  if (!duty) return null
  return (
    <>
      {handing && <HandoverDialog onClose={() => setHanding(false)} />}
      <Menu position="bottom-start" width={280}>
        <Menu.Target>
          <UnstyledButton className={classes.duty} aria-label={`Приём чатов: ${dutyWords(duty)}`}>
            <span className={classes.dutyDot} data-state={duty.state} aria-hidden />
            <span className={classes.dutyWords}>{dutyWords(duty)}</span>
            <IconChevronDown size={14} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {(Object.keys(operatorStates) as OperatorState[]).map((state) => (
            <Menu.Item
              key={state}
              aria-current={state === duty.status || undefined}
              leftSection={<span className={classes.dutyDot} data-state={state} />}
              rightSection={state === duty.status && <IconCheck size={16} aria-hidden />}
              onClick={() => void choose(state)}
            >
              {operatorStates[state]}
              <span className={classes.hint}>{hints[state]}</span>
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<IconTransferOut size={16} aria-hidden />} onClick={() => setHanding(true)}>
            Передать смену…
          </Menu.Item>
          <Menu.Divider />
          <p className={classes.dutyFoot}>
            {duty.automatic
              ? `Чаты распределяются сами, до ${duty.limit} сразу. Сейчас у вас ${duty.open}.`
              : 'Чаты берут сами: автоматическое распределение выключено.'}
          </p>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
