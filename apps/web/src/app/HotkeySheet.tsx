import { useSyncExternalStore } from 'react'
import { Dialog } from '../kit/Dialog.tsx'
import { hotkeys } from '../kit/hotkeys.ts'
import { Keys } from '../kit/Keys.tsx'
import classes from './HotkeySheet.module.css'

/** All shortcuts that work now, by group. */
export default function HotkeySheet({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const list = useSyncExternalStore(hotkeys.subscribe, hotkeys.list)
  const groups = [...new Set(list.map((item) => item.group))].sort(
    (a, b) => Number(a === 'Везде') - Number(b === 'Везде'),
  )
  return (
    <Dialog opened={opened} onClose={onClose} title="Клавиши" size={480}>
      {groups.map((group) => (
        <section key={group} className={classes.group}>
          <h3 className={classes.heading}>{group}</h3>
          <dl className={classes.list}>
            {list
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
