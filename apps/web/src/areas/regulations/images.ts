/** Extensions of the pictures that a step takes. */
export const imageExtensions = ['png', 'jpg', 'jpeg', 'webp', 'gif'] as const
