import { Component, type ReactNode } from 'react'
import { CrashPage } from './CrashPage.tsx'

interface State {
  error?: Error | undefined
}

/** Shows the page of crashes where there is no router to do it. */
export class CrashBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = {}

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render() {
    const { error } = this.state
    return error ? <CrashPage error={error} reset={() => this.setState({ error: undefined })} /> : this.props.children
  }
}
