import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { noWarnings } from './noWarnings.ts'
import { shellSizes } from './shellSizes.ts'

/** The patients' app: separate from the staff's, without its code. */
export default defineConfig({
  base: '/portal/files/',
  publicDir: 'src/areas/portal/public',
  plugins: [shellSizes('portal.json'), noWarnings(), react()],
  build: {
    outDir: 'dist-portal',
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The security policy forbids data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: 'portal.html' },
  },
})
