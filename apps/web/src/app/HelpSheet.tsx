import { List } from '@mantine/core'
import { pageHelp } from '@ordinator/model/pageHelp'
import type { PageKey } from '@ordinator/model/pages'
import { useMatches } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { openTour } from '#base/tour.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { Dialog } from '#kit/Dialog.tsx'
import { hotkeys } from '#kit/hotkeys.ts'
import { Keys } from '#kit/Keys.tsx'
import { Muted } from '#kit/Words.tsx'
import classes from './HelpSheet.module.css'

/** Help for the open page, and all active shortcuts, by group. */
export default function HelpSheet({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const keys = useSyncExternalStore(hotkeys.subscribe, hotkeys.list)
  const page = useMatches({ select: (matches) => matches.at(-1)?.staticData.page })
  const told = page ? pageHelp[page.key as PageKey] : undefined
  const groups = [...new Set(keys.map((item) => item.group))].sort(
    (a, b) => Number(a === 'Везде') - Number(b === 'Везде'),
  )
  return (
    <Dialog opened={opened} onClose={onClose} title={page ? `Справка: ${page.title}` : 'Справка'} size={560}>
      {page && <Muted component="p">{page.help}</Muted>}
      {told && (
        <List spacing={6} mt={8} mb={16}>
          {told.map((line) => (
            <List.Item key={line}>{line}</List.Item>
          ))}
        </List>
      )}
      <ActionButton
        label="Знакомство с программой"
        variant="light"
        size="compact-md"
        mb={16}
        onClick={() => {
          onClose()
          openTour()
        }}
      />
      {groups.map((group) => (
        <section key={group} className={classes.group}>
          <h3 className={classes.heading}>Клавиши: {group.toLowerCase()}</h3>
          <dl className={classes.list}>
            {keys
              .filter((item) => item.group === group)
              .map((item) => (
                <div key={item.keys + item.label} className={classes.row}>
                  <dt>{item.label}</dt>
                  <dd>
                    <Keys keys={item.keys} />
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}
