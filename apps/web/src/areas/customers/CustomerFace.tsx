import { UserAvatar } from '#kit/UserAvatar.tsx'

interface Props {
  customer: { surname?: string | null; name?: string | null; shortFio?: string | null; photo?: string | null }
  size?: number
}

/** Photo of a patient, or the initials. */
export const CustomerFace = ({ customer: { surname, name, shortFio, photo }, size }: Props) => (
  <UserAvatar user={{ surname, name, shortFio, avatar: photo }} size={size} />
)
