/** Manifests as people write them. */

export const inflate = `apiVersion: apps/v1
kind: Deployment
metadata: {name: inflate}
spec:
  replicas: 3
  selector: {matchLabels: {app: inflate}}
  template:
    metadata: {labels: {app: inflate}}
    spec:
      containers:
        - {name: inflate, image: pause, resources: {requests: {cpu: "1"}}}
`;

export const huge = `apiVersion: apps/v1
kind: Deployment
metadata: {name: huge, namespace: shop}
spec:
  replicas: 2
  selector: {matchLabels: {app: huge}}
  template:
    metadata: {labels: {app: huge}}
    spec:
      containers:
        - {name: huge, image: nginx, resources: {requests: {cpu: "500"}}}
`;

export const misspelt = `apiVersion: v1
kind: ConfigMap
metadata: {name: fine}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replica: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: web, image: nginx}]
`;

/** A pool and a class of an account that is not ours, in the version before the last. */
export const oldPool = `apiVersion: karpenter.sh/v1beta1
kind: NodePool
metadata: {name: general}
spec:
  template:
    spec:
      nodeClassRef: {name: base}
      requirements:
        - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
        - {key: node.kubernetes.io/instance-type, operator: In, values: [m5.xlarge]}
---
apiVersion: karpenter.k8s.aws/v1beta1
kind: EC2NodeClass
metadata: {name: base}
spec:
  amiFamily: AL2
  role: KarpenterNodeRole-of-another-account
  subnetSelectorTerms: [{id: subnet-0a1b2c3d4e5f60718}]
  securityGroupSelectorTerms: [{tags: {karpenter.sh/discovery: another}}]
`;

export const oneByOne = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  replicas: 3
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      containers:
        - {name: db, image: postgres, resources: {requests: {cpu: "1", memory: 4Gi}}}
  volumeClaimTemplates:
    - metadata: {name: data}
      spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 10Gi}}}
`;

/** What has no part in a plan, each for another reason. */
export const strangers = `apiVersion: v1
kind: Node
metadata: {name: ip-10-0-0-1}
---
apiVersion: v1
kind: Pod
metadata: {name: running}
spec: {nodeName: ip-10-0-0-1, containers: [{name: a, image: a}]}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata:
  name: web-5d4f
  ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: "1"}]
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly}
spec:
  schedule: "0 0 * * *"
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: a}]}}}}
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: web}
---
apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: web}
---
apiVersion: autoscaling.x-k8s.io/v1beta1
kind: CapacityBuffer
metadata: {name: spare}
spec: {replicas: 1, podTemplateRef: {name: a}}
---
some: values
`;
