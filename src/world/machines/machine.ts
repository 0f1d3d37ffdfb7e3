/** A running computer, as the EC2 half of the world hands it to the kubelets. */
export interface Machine {
  readonly instanceId: string;
  readonly instanceType: string;
  readonly imageId: string;
  readonly region: string;
  readonly zone: string;
  readonly zoneId: string;
  readonly privateIp: string;
  /** `ip-10-0-1-23.us-east-1.compute.internal`; becomes the Node's name. */
  readonly privateDnsName: string;
  readonly arch: 'amd64' | 'arm64';
  readonly cpuCount: number;
  readonly memoryMiB: number;
  readonly rootVolumeGiB: number;
  readonly nvidiaGpuCount: number;
  /** How many pods its network has addresses for, as images look it up by the instance type. */
  readonly podsByNetwork: number;
  /** What the instance was given, decoded from base64. */
  readonly userData: string;
}

/** Where machines come on and go off. Nothing else passes between EC2 and kubelets. */
export interface MachineRoom {
  /** Machines that run now. */
  running(): readonly Machine[];
  /** Calls back as machines come on and go off, until the returned function is called. */
  subscribe(listener: MachineListener): () => void;
}

export interface MachineListener {
  onStarted(machine: Machine): void;
  onStopped(instanceId: string): void;
}
