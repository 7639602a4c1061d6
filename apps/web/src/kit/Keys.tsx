import { Kbd } from '@mantine/core'

const names: Record<string, string> = {
  mod: 'Ctrl',
  shift: 'Shift',
  alt: 'Alt',
  enter: 'Enter',
  escape: 'Esc',
  space: 'Пробел',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
  delete: 'Del',
}

/** A shortcut as keys: `<Keys keys="mod+k" />`. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span style={{ display: 'inline-flex', gap: 4, flexShrink: 0 }}>
      {keys.split('+').map((key) => (
        <Kbd key={key} size="xs">
          {names[key] ?? key.toUpperCase()}
        </Kbd>
      ))}
    </span>
  )
}
