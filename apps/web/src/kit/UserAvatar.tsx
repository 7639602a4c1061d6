import { Avatar } from '@mantine/core'
import { initials } from '@ordinator/model/format'
import { OnlineDot } from './OnlineDot.tsx'
import { usePeople } from './people.ts'

/** Fields needed to show a person; any record with a name fits. */
export interface PersonLike {
  id?: number
  fio?: string | null
  shortFio?: string | null
  surname?: string | null
  name?: string | null
  avatar?: string | null
  isOnline?: boolean | null
}

/** 'Без имени' without a name (spec §8). */
export function personName(user: PersonLike): string {
  return user.shortFio || user.fio || [user.surname, user.name].filter(Boolean).join(' ') || 'Без имени'
}

interface Props {
  user: PersonLike
  /** Pixels, default 34 (spec §9). */
  size?: number
  /** Presence from the record; absent: from the list of people online. */
  online?: boolean
}

/** A person's photo, or two initials on a colour that is constant per person. */
export function UserAvatar({ user, size = 34, online }: Props) {
  const known = usePeople().useOnline(online === undefined ? user.id : undefined)
  // Only surname and name: the colour must be the same with and without a middle name.
  const full =
    [user.surname, user.name].filter(Boolean).join(' ') || (user.fio || user.shortFio || '').split(' ', 2).join(' ')
  const hue = hueOf(full)
  return (
    <span data-person={user.id} style={{ position: 'relative', display: 'inline-flex', flexShrink: 0, height: size }}>
      <Avatar
        src={pictureOf(user.avatar, size)}
        alt=""
        aria-hidden
        size={size}
        radius="50%"
        styles={{
          placeholder: {
            background: `light-dark(hsl(${hue} 42% 90%), hsl(${hue} 24% 26%))`,
            color: `light-dark(hsl(${hue} 55% 24%), hsl(${hue} 45% 84%))`,
            border: 0,
            fontSize: Math.max(10, Math.round(size * 0.38)),
            fontWeight: 600,
          },
        }}
      >
        {initials(full) || '?'}
      </Avatar>
      {online !== undefined && <OnlineDot online={online} corner />}
      {known && <OnlineDot online corner mute />}
    </span>
  )
}

export function hueOf(text: string): number {
  let sum = 0
  for (const letter of text) sum = (sum * 31 + (letter.codePointAt(0) as number)) % 360
  return sum
}

/** The server also has a small copy of its own pictures. */
function pictureOf(avatar: string | null | undefined, size: number): string | undefined {
  if (!avatar) return undefined
  return avatar.startsWith('/users/') && size <= 64 && !avatar.includes('?') ? `${avatar}?size=64` : avatar
}
