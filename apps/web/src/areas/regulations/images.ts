/** Allowed extensions of step pictures. */
export const imageExtensions = ['png', 'jpg', 'jpeg', 'webp', 'gif'] as const
